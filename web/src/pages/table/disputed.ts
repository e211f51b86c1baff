// Disputed: the round, bet and amount that a dispute names, in words; it rules on nothing.
import type { DisputedBet, View } from "../../generated/api";
import { betName, money, t } from "../../texts";
import { baseSpots, sideSpots } from "./spots";

export const concernsOf = (bet: DisputedBet): string =>
  [t("chips.dispute.concerns", { round: bet.round }), bet.wager ? betName(bet.wager) : "", bet.cents ? money(bet.cents) : ""].filter(Boolean).join(" · ");

/** The bets that a dispute may name. */
export const betsOf = (view: View): string[] => [...baseSpots(view), ...sideSpots(view)];
