// English: every word the page says, by key; {name} is put in. A language is another file with the same keys.
import { staff } from "./staff";

export const en = {
  // everywhere
  "app.name": "letitride",
  "app.skip": "Skip to the main part",
  "app.nav": "Main",
  "app.loading": "Loading …",
  "app.failed": "This part of the page could not be loaded.",
  "app.again": "Try again",
  "app.close": "Close",
  "app.cancel": "Cancel",
  "app.none": "None",
  "app.missing.title": "There is no such page",
  "app.missing.text": "The address {path} leads nowhere here.",
  "app.missing.home": "Back to the lobby",
  "nav.lobby": "Lobby",
  "nav.learn": "Learn",
  "nav.par": "Par",
  "nav.staff": "Staff",
  "theme.label": "Colours",
  "theme.auto": "As the system",
  "theme.light": "Light",
  "theme.dark": "Dark",
  "error.network": "The house does not answer. Look at your connection; the page goes on by itself.",
  "error.session": "Your session is over. Sign in again, or go on as a guest.",
  "error.unknown": "Something went wrong ({status}). Try again.",

  // account
  "account.open": "Sign in",
  "account.title": "Account",
  "account.as": "You are signed in as {name}.",
  "account.guest": "You play as {name} with chips of no value. With an account they stay yours.",
  "account.nobody": "Sign in, or just play: a guest needs no account.",
  "account.name": "Name",
  "account.password": "Password",
  "account.new": "This is a new account",
  "account.in": "Sign in",
  "account.make": "Make the account",
  "account.in.done": "Welcome, {name}.",
  "account.out": "Sign out",
  "account.out.done": "You are signed out.",
  "wallet.title": "Wallet",
  "wallet.more": "More play chips",
  "wallet.visits": "Last visits",
  "wallet.table": "Table",
  "wallet.bought": "Bought",
  "wallet.result": "Result",
  "wallet.there": "still there",
  "limits.title": "Limits",
  "limits.how": "Stricter limits hold at once, looser ones after 24 hours. An empty field is no limit.",
  "limits.loss_day_cents": "Loss within 24 hours, in dollars",
  "limits.loss_week_cents": "Loss within 7 days, in dollars",
  "limits.loss_month_cents": "Loss within 30 days, in dollars",
  "limits.time_day_minutes": "Minutes at tables within 24 hours",
  "limits.reminder_minutes": "Remind me after so many minutes",
  "limits.used": "Of today's: {loss} and {minutes} minutes are used.",
  "limits.waits": "Becomes {value} at {when}",
  "limits.excluded": "You asked not to play until {until}.",
  "limits.keep": "Keep these limits",
  "limits.done": "Your limits are changed.",
  "looks.title": "How the page looks",
  "looks.four": "Four colours for four suits",
  "looks.clocks": "Show clocks",
  "looks.motion": "Cards and chips move",
  "looks.text": "The table in words",

  // cards
  "card.2": "two",
  "card.3": "three",
  "card.4": "four",
  "card.5": "five",
  "card.6": "six",
  "card.7": "seven",
  "card.8": "eight",
  "card.9": "nine",
  "card.T": "ten",
  "card.J": "jack",
  "card.Q": "queen",
  "card.K": "king",
  "card.A": "ace",
  "card.c": "clubs",
  "card.d": "diamonds",
  "card.h": "hearts",
  "card.s": "spades",
  "card.of": "{rank} of {suit}",
  "card.back.red": "face down, red back",
  "card.back.blue": "face down, blue back",
  "card.place": "no card yet",

  // lobby

  // table

  // par
  "par.title": "Par",

  // coach

  // staff
  ...staff,

  // learn
  "learn.title": "Learn",
} as const;
