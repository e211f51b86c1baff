// Made by scripts/web_types.py from the server's description; 'make fix' writes it anew. Not to be edited.

// Over the WebSocket
/** A command with an id of the client's own: sent again, it is not carried out again. */
export interface Act { type: "command"; id: string; command: Do | Mishap | Report | Order | DecideDispute | Advise | Sit | BuyChips | ExchangeVoucher | Leave | SitOut | PlaceWagers | LookOver | Look | Choose | TakeBack | Tuck | Claim | TakeBank | DeclineBank | WentAway | CameBack | Correct | Fold | RefuseCorrection | RaiseDispute | AppealDispute | AskAdvice; version?: number | null }
/** Tell a player what to do. */
export interface Advise { type: "Advise"; seat: number; words: string; by?: string }
/** The answer to a command: accepted and durable at a version of the table, or refused with a reason. */
export interface Answer { type: "answer"; command: string; accepted: boolean; version: number; code?: string; sentence?: string; case?: string; values?: Record<string, number | string> }
/** Appeal a ruling: take it to the person who rules next. */
export interface AppealDispute { type: "AppealDispute"; seat: number; by?: string }
/** Ask the others for advice, or stop asking. */
export interface AskAdvice { type: "AskAdvice"; seat: number; wanted?: boolean; by?: string }
/** Who banks, where a player does. */
export interface BankView { seat: number | null; stake_cents: number; chips_cents: number; hands_in_a_row: number; action_seat: number | null; sentence?: string }
/** Buy more chips. */
export interface BuyChips { type: "BuyChips"; seat: number; cents: number; by?: string }
/** Say that a player who was away is there again. */
export interface CameBack { type: "CameBack"; seat: number; by?: string }
/** What is new in the view since a version: pieces and seats that take the place of the old ones. */
export interface ChangeSent { type: "change"; since: number; view: Record<string, unknown>; seats: Record<string, SeatView> }
/** Let a bet ride or withdraw it. */
export interface Choose { type: "Choose"; seat: number; bet: 1 | 2; choice: "ride" | "withdraw"; by?: string }
/** Show the dealer your three cards for the side bet, or keep them hidden. */
export interface Claim { type: "Claim"; seat: number; shown: boolean; by?: string }
/** Whose time runs: everyone's for bets, or a seat's; and when it is over, in milliseconds since 1970. */
export interface Clock { what: "bets" | "choice"; seat: number | null; ends_ms: number }
/** Bets are closed, the root fixes deck, pledges, cuts and dice: seats reveal links for the dice, or nonces. */
export interface CommitmentSent { type: "commitment"; table: string; round: number; shuffle: number; merkle: string; seats: SeatPledged[]; cuts: number[]; dice?: number | null; root: string; throws: [number, number, number][]; wants: "" | "link" | "nonce" }
/** Make your base bets equal. */
export interface Correct { type: "Correct"; seat: number; cents: number; by?: string }
/** A match-play coupon in a round: its value, and what happened to it. */
export interface Coupon { cents: number; fate?: "laid" | "lost" | "won" }
/** Rule on a dispute, and say what the house pays for it, if anything. */
export interface DecideDispute { type: "DecideDispute"; number: number; upheld: boolean; cents?: number; why?: string; absent?: string[]; by?: string }
/** The deck in play. */
export interface DeckView { left: number; colour: "blue" | "red" | null }
/** Pass the bank on. */
export interface DeclineBank { type: "DeclineBank"; seat: number; by?: string }
/** A player's dispute, and how far it has gone. */
export interface Dispute { number: number; seat: number; player: string; about: string; heard_by: string[]; decisions?: string[]; appealed?: boolean; concerns?: DisputedBet }
/** What a dispute is about: a round, and of it a wager and an amount where its player names them. */
export interface DisputedBet { round: number; wager?: string; cents?: number }
/** Do the next step of the script; its other fields are what some steps need to know. */
export interface Do { type: "Do"; kind: string; seat?: number; wager?: string; number?: number; order?: string[]; unbound?: boolean; cut?: number; face_up?: boolean; throw?: number; by?: string }
/** Do the next step of the script, whichever it is. */
export interface DoNext { type: "next"; id: string; version?: number | null }
/** End your shift, or relieve the dealer as the floor. */
export interface EndShift { type: "end_shift" }
/** What was wrong with a message; with the id of the command in it, if it had one. */
export interface ErrorSent { type: "error"; code: "halted" | "moved" | "not_allowed" | "shuffle_share" | "store_down" | "too_many_messages" | "unreadable"; sentence: string; command?: string }
/** Exchange a promotional voucher for chips or tokens, or bring a match-play coupon to the table. */
export interface ExchangeVoucher { type: "ExchangeVoucher"; seat: number; cents: number; into?: "chips" | "match_play" | "tokens"; voucher?: string; by?: string }
/** One row of a fee schedule. */
export interface FeeTier { limit_cents_max: number; wager_cents: number; bank_cents: number }
/** How the felt is laid out. */
export interface FeltView { players_side: number[]; dealer_side: string[]; spots: string[]; community: string; device: string }
/** Give up your cards and take your bets back, where uneven bets were found in time. */
export interface Fold { type: "Fold"; seat: number; by?: string }
/** The table is closed for now. */
export interface HaltedSent { type: "halted"; why: string }
/** Cash out and leave. */
export interface Leave { type: "Leave"; seat: number; by?: string }
/** Look at your three cards. */
export interface Look { type: "Look"; seat: number; by?: string }
/** Look over the deck that is spread for the first player. */
export interface LookOver { type: "LookOver"; seat: number; by?: string }
/** What really went wrong, as a camera would see it, noticed or not; by 'table' alone. */
export interface Mishap { type: "Mishap"; kind: "bets" | "burn" | "drawn" | "exposed" | "exposed_burn" | "long" | "short" | "stray" | "unloaded"; seat?: number; number?: number; wagers?: Record<string, number>; by?: string }
/** A sign about what is to come, in minutes on the wall clock, UTC. */
export interface NoticeView { posted: number; when: number; cents: number | null }
/** What signs say besides the limits: a higher minimum or a closing to come, and the language. */
export interface NoticesView { minimum?: NoticeView | null; closing?: NoticeView | null; english_only: boolean }
/** Give an order, as a supervisor or an inspector. */
export interface Order { type: "Order"; kind: "act_first" | "announce_closing" | "announce_minimum" | "annul" | "bar" | "change_deck" | "close" | "count" | "english_only" | "give_up_seat" | "limits" | "recut" | "refuse_bet" | "separate" | "void_bets"; seats?: number[]; number?: number; cards?: string[]; cents_min?: number; cents_max?: number; minute?: number; when?: number; ground?: "" | "collusion" | "device" | "disturbance" | "fraud" | "refused_correction"; why?: string; by?: string }
/** What a hand pays, in parts: odds, an amount, or what it takes of a meter and an amount beside it. */
export interface PayView { odds?: [number, number] | null; win_cents?: number; meter_percent?: number; meter_cents?: number; hands?: number }
/** Put just these wagers on the spots of a seat; none takes all of them back. */
export interface PlaceWagers { type: "PlaceWagers"; seat: number; wagers: Record<string, number>; medium?: "cash" | "chips" | "plaques" | "tokens" | "vouchers"; spoken?: boolean; coupon_cents?: number; by?: string }
/** Commit a seat to its part of the coming shuffle, without telling it. */
export interface PledgeNonce { type: "pledge"; round: number; shuffle: number; digest: string }
/** The house has mixed its deck and fixed it by a digest; seats may pledge until bets are closed. */
export interface PledgesSent { type: "pledges"; table: string; round: number; shuffle: number; merkle: string }
/** A deck is opened or void: its proof can be had. */
export interface ProofSent { type: "proof"; table: string; round: number; shuffle: number }
/** Dispute a ruling or a payment. */
export interface RaiseDispute { type: "RaiseDispute"; seat: number; about: string; concerns?: DisputedBet; by?: string }
/** A hand as a dealer reads it, in parts: its class, and the ranks named with it, most telling first. */
export interface Reading { hand: string; ranks: string }
/** Why a wager was won or lost. */
export interface Reason { wager: string; hand: string; cards: string[]; made?: string[]; row?: string; odds?: [number, number] | null; seat?: number; hands?: number; full_cents?: number; beside_cents?: number }
/** Refuse to make your base bets equal. */
export interface RefuseCorrection { type: "RefuseCorrection"; seat: number; by?: string }
/** Report an irregularity; the book rules on it. */
export interface Report { type: "Report"; kind: "absent" | "absent_uneven" | "dealer_count" | "deck" | "device_failure" | "device_jam" | "device_miscount" | "drawn_card" | "exposed_burn" | "exposed_card" | "exposed_cards" | "exposed_community" | "exposed_late" | "hand_count" | "over_maximum" | "stray_hand" | "stub_count" | "under_minimum" | "uneven_bets" | "unloaded" | "wrong_burn"; seat?: number; number?: number; by?: string }
/** Give the digest of the number that a seat pledged: its part in the dice, which does not tell the number. */
export interface RevealLink { type: "link"; round: number; shuffle: number; link: string }
/** Reveal the secret number that a seat pledged. */
export interface RevealNonce { type: "reveal"; round: number; shuffle: number; nonce: string }
/** Which rules are in force. */
export interface RulesView { book: string; sha256: string }
/** What was ruled or ordered. */
export interface RulingView { name: string; sentence: string; seat: number | null; clauses: string[]; house_default: boolean; by: string; why: string | null }
/** One line of the script: who does what, and which clauses say so (none: house procedure). */
export interface ScriptLine { step: Step; actor: "dealer" | "floor" | "player"; text: string; clauses: string[] }
/** What a seat has pledged. */
export interface SeatPledged { seat: number; commitment: string }
/** A seat as its viewer sees it. */
export interface SeatView { player: string | null; sitting_out: boolean; stack_cents: number; tokens_cents: number; wagers: Record<string, number>; medium: string; fee_cents: number; lammer: boolean; lamps: string[]; looked: boolean; choices: Record<string, "ride" | "withdraw">; tucked: boolean; cards: string[]; hand: string | null; results: WagerResult[]; reasons?: Reason[]; reading?: Reading; coupons_cents?: number; coupon?: Coupon }
/** Set whether a clock runs for you; without one a player who sits alone takes as much time as they like. */
export interface SetClock { type: "clock"; on: boolean }
/** Set how fast the automatic dealer deals for you, as long as no other person sits at the table. */
export interface SetPace { type: "pace"; pace: "fast" | "normal" | "turbo" }
/** What a seat gave for a shuffle is written down: its acknowledgement, and news for everyone at the table. */
export interface ShareSent { type: "share"; table: string; round: number; shuffle: number; seat: number; what: "link" | "nonce" | "pledge"; value: string }
/** A bet beside the base game: its spot, its name, and what it may be. */
export interface SideBetView { spot: string; title: string; label: string; about: string; cents_min: number; cents_max: number; cents_step: number; withdraw?: number[]; withdraw_percent?: number }
/** What the sign at the table says: limits, side bets, fees, pays, and the maximum payout where there is one. */
export interface SignView { limits_cents: [number | null, number | null]; limits_scope: string; step_cents: number; spot_cents_min: number; spot_cents_max: number; round_cents_min: number; bet_alone: string[]; side_bets: SideBetView[]; fees: FeeTier[] | null; fee: FeeTier | null; payout_cents_max: number | null; payout_scope?: string; payout_sides?: string[]; paytables: Record<string, string>; pays: Record<string, Record<string, string | null>>; pay_values: Record<string, Record<string, PayView[]>>; bet_media: string[] }
/** Take a seat and buy chips. */
export interface Sit { type: "Sit"; seat: number; player: string; cents: number; by?: string }
/** Sit out the coming rounds, or take part again. */
export interface SitOut { type: "SitOut"; seat: number; out?: boolean; by?: string }
/** One act at the table: what is done, for which seat, wager or card. */
export interface Step { kind: string; seat?: number; wager?: string; number?: number }
/** How the table stands besides the game. */
export interface TableSent { type: "table"; table: string; state: "closed" | "closing" | "halted" | "open"; dealer: string; clock: Clock | null; pace: "fast" | "normal" | "turbo"; bots?: number; bots_max?: number }
/** Take a side bet back with a base decision, where its file lets a player do so. */
export interface TakeBack { type: "TakeBack"; seat: number; wager: string; by?: string }
/** Bank the coming hand with a stake. */
export interface TakeBank { type: "TakeBank"; seat: number; cents: number; by?: string }
/** Take the shift and deal at this table. */
export interface TakeShift { type: "take_shift" }
/** Tuck your cards early: all remaining bets ride. */
export interface Tuck { type: "Tuck"; seat: number; by?: string }
/** A table as one viewer may see it. */
export interface View { book: string; rules: RulesView; sign: SignView; felt: FeltView; coach: boolean; absent: string; absent_open: boolean; version: number; phase: "banking" | "betting" | "between" | "choice_1" | "choice_2" | "closed" | "dealing" | "idle" | "opening" | "ruling" | "settling"; round: number; round_running: boolean; betting_open: boolean; bank: BankView | null; meters: Record<string, number>; notices: NoticesView; community: string[]; packet: string[]; deck: DeckView; drawn: string[]; spread: string[]; rack: number; viewer: string; rulings: RulingView[]; disputes: Dispute[]; script: ScriptLine | null; offers: (Do | Report | Sit | BuyChips | Leave | SitOut | PlaceWagers | LookOver | Look | Choose | TakeBack | Tuck | Claim | TakeBank | DeclineBank | Correct | Fold | RefuseCorrection | AppealDispute)[]; seats: Record<string, SeatView> }
/** The whole view. */
export interface ViewSent { type: "view"; view: View }
/** The result of one wager. `paid_cents` is what is paid on top of, or for a total award instead of, the stake. A bet that is lost is paid where another player's hand gives it envy: that is all of it. */
export interface WagerResult { wager: string; stake_cents: number; fate: "forfeited" | "lost" | "returned" | "void" | "withdrawn" | "won"; paid_cents?: number; back_cents?: number }
/** Say that a player has left the table in mid-round. */
export interface WentAway { type: "WentAway"; seat: number; by?: string }
export type Incoming = Act | DoNext | PledgeNonce | RevealLink | RevealNonce | TakeShift | EndShift | SetClock | SetPace;
export type Outgoing = ViewSent | ChangeSent | TableSent | Answer | ErrorSent | PledgesSent | CommitmentSent | ShareSent | ProofSent | HaltedSent;

// Over HTTP
export namespace Http {
  /** The accounts of the table before and after. */
  export interface AccountFigures { before_cents: Record<string, number>; after_cents: Record<string, number> }
  /** One side of a transfer: the kind of account, and the seat, spot or player it belongs to. */
  export interface AccountPart { kind: string; seat?: number; spot?: string; player?: string }
  /** An amount that is moved once, however often it is asked for under its reference. */
  export interface Amount { cents: number; reference: string; why: string }
  /** What is announced with a step: a code with its values, or how a hand is read. */
  export interface Announcement { code: string; values?: Record<string, number | string>; readings?: Reading[] }
  /** An app that is to be confirmed by a code. */
  export interface AppDraft { secret: string; address: string; qr_code: string }
  /** An act with money that one person asked for, and how it stands. */
  export interface ApprovalTold { id: string; act: "award" | "void" | "annulment" | "deposit" | "withdrawal" | "voucher" | "fill" | "credit"; cents: number; about: string; why: string; table: string | null; asked_by: string; asked_ms: number; until_ms: number; state: "waiting" | "approved" | "done" | "failed" | "declined" | "expired"; decided_by: string | null; decided_ms: number; decided_why: string | null; outcome: string | null; yours: boolean; refused: string | null }
  /** A drill that a person is to do, and its result. */
  export interface AssignmentTold { id: string; person: string; by: string; set_ms: number; drill: string; level: number; length: number; due_ms: number; note: string; attempts: number; best_score: number | null; last_score: number | null; done_ms: number | null; late: boolean }
  /** A drill to set a person: 'dealer:nsw-1:watch', 'floor:nsw-1:floor', 'player:LIRX-01' or 'player:LIRX-01:exam'. */
  export interface AssignmentWish { person: string; drill: string; level?: number; length?: number; due_ms?: number; note?: string }
  /** An act on the record. */
  export interface Audited { number: number; at_ms: number; who: string; what: string; why: string }
  /** A backup that is complete. */
  export interface BackupFile { name: string; bytes: number; made_ms: number }
  /** Who banked a round. */
  export interface BankSummary { seat: number; stake_cents: number; net_cents: number | null }
  /** A rule book with all its keys. */
  export interface BookInFull { id: string; title: string; edition: string | null; extends: string[]; sha256: string; bank: string; device: string; wagers: string[]; variants: Record<string, string>; must_state: string[]; paytables: Record<string, string[]>; keys: KeyData[] }
  /** A rule book in short. */
  export interface BookSummary { id: string; title: string; edition: string | null; extends: string[]; sha256: string; bank: string; device: string; wagers: string[]; variants: Record<string, string>; must_state: string[]; paytables: Record<string, string[]> }
  /** The same for the rounds by one book. */
  export interface BookSums { book: string; sums: Sums }
  /** How many bots play at a table, or will as soon as they can. */
  export interface BotsWanted { bots: number }
  /** A proof for each of the player's cards and the community cards; of no other card of the deck. */
  export interface CardProofs { cards: Record<string, unknown>[] }
  /** Rules that belong together. */
  export interface ChapterText { name: string; title: string; rules: RuleText[] }
  /** The average value of a decision, in units of one bet and in cents at this stake. */
  export interface ChoiceValue { choice: "ride" | "withdraw"; units: Exact; units_text: string; cents: Exact; text: string }
  /** The value of both decisions, per unit bet. */
  export interface ChoiceValues { ride: Exact; withdraw: Exact }
  /** A clause, with what it demands in our own words. */
  export interface Cited { id: string; demand: string }
  /** A clause of a rule document, and what it demands in our own words. */
  export interface ClauseText { id: string; demand: string }
  /** Whose time runs: everyone's for bets, or a seat's; and when it is over, in milliseconds since 1970. */
  export interface Clock { what: "bets" | "choice"; seat: number | null; ends_ms: number }
  /** The code that an authenticator app shows, or a recovery code. */
  export interface Code { code: string }
  /** What a dealer dealt; a round counts for the one who did its last step. */
  export interface DealerRounds { dealer: string; rounds: number; win_cents: number }
  /** A dealer's time at a table, in the house's time zone. */
  export interface DealerTime { dealer: string; since: string; until: string | null; ended_by: string | null; why: string | null }
  /** A rule that decides an irregularity. */
  export interface DecidingRule { key: string; about: string; says: string; origin: string }
  /** One kind of decision: what is best, what it is worth, and how well you know it. */
  export interface DecisionKind { kind: string; words: string; bet: number; best: ("ride" | "withdraw")[]; value: Exact; frequency: Exact; cost_per_hundred_rounds: Exact; state: "new" | "learning" | "known"; asked: number; right: number }
  /** A dispute that a role may rule on now, and which lower instances must be off duty for that. */
  export interface DecisionOffer { number: number; absent: string[]; pays: boolean }
  /** How a deck ended in public. */
  export interface DeckEnd { round: number; shuffle: number; outcome: "dealt" | "void"; reason: string; silent: number[]; known: boolean }
  /** What a person in a role may do at a table at one version of it, and what comes next there. */
  export interface DeskOfTable { table: string; version: number; role: string; script: LineTold[]; blocked: string | null; reports: ReportTold[]; orders: OrderTold[]; decisions: DecisionOffer[]; rulings: RulingCited[]; minute: number }
  /** A table at a glance, for those who run it. */
  export interface DeskTable { id: string; name: string; rulebook: string; limits_cents: (number | null)[]; seats: number; state: "open" | "closing" | "closed" | "halted"; reason: string | null; here: boolean; phase: string; round: number; players: string[]; dealer: string; clock: Clock | null; waits_for: string | null; side_bets: Record<string, string>; actor: "dealer" | "floor" | "player" | null; disputes: number; disputes_wait_for: string[]; roles: ("dealer" | "floor" | "games_supervisor" | "casino_supervisor" | "operator" | "inspector")[]; rulings: string[]; closing_notice: NoticeTold | null }
  /** The SHA-256 of what runs here; code that was changed since the start shows as two digests. */
  export interface DigestsHere { version: string; code: string; code_at_start: string; page: string; rulebooks: Record<string, string>; paytables: Record<string, string> }
  /** Disputes and what happened to them. */
  export interface DisputeFigures { raised: number; upheld: number; rejected: number }
  /** The last decks of a table: how many had which end, how many have none yet, and each that ended, newest first. */
  export interface Docket { dealt: number; void: number; void_known: number; not_ended: number; ends: DeckEnd[] }
  /** To let a table close when its round is over, or to open it again. */
  export interface DoorWish { state: "closing" | "open"; why: string; without_notice?: boolean }
  /** An answer: to which question, which decision, and after how many seconds. */
  export interface DrillAnswer { number: number; choice: "ride" | "withdraw"; seconds?: number | null }
  /** The judgment of an answer, and the next question. */
  export interface DrillAnswered { judged: PlayerJudgment; standing: LessonStanding; result: Result | null; question: PlayerQuestion }
  /** The drills there are, the books they can be done by, and what you have begun. */
  export interface DrillCatalogue { drills: DrillEntry[]; books: string[]; going_on: DrillGoingOn[] }
  /** A drill there is for those who run a table. */
  export interface DrillEntry { drill: "deal" | "pay" | "watch" | "floor"; trade: "dealer" | "floor"; title: string; length: number }
  /** A drill of yours that is not at its end. */
  export interface DrillGoingOn { drill: "deal" | "pay" | "watch" | "floor"; book: string; answered: number }
  /** How an answer was judged; after the last one the result. */
  export interface DrillMarked { mark: Mark; summary: DrillSummary; result: Result | null }
  /** An answer to the open question: for each field the id of an option, or cents. */
  export interface DrillSaid { number: number; answer: Record<string, string | number> }
  /** The open question of a drill, how many seconds ago it was first shown, and what the drill has come to. */
  export interface DrillState { question: Question; open_seconds: number; assignment: string; summary: DrillSummary }
  /** The result of a drill up to now; the score in percent of the points possible. */
  export interface DrillSummary { drill: string; book: string; level_at_start: number; level: number; questions: number; points: number; points_max: number; score: number; catches: number; misses: number; false_alarms: number; all_clear: number; late: number; seconds: number }
  /** How a new drill begins; an assignment says it itself. */
  export interface DrillWish { level?: number; length?: number; assignment?: string }
  /** A decision that is due: the value of each side of it, and the line of the rule list that covers it. */
  export interface DueChoice { bet: 1 | 2; stake_cents: number; cards: string[]; community: string[]; holding: string; best: "ride" | "withdraw"; even: boolean; rule: string | null; rules: string[]; choices: ChoiceValue[]; gain_cents: Exact; gain_text: string; convention: string; convention_codes?: string[]; holding_code?: string; rule_codes?: string[] }
  /** The house edge of a bet by best play, decisions worth nothing taken back: what is lost on average of one bet. Of the base game, of one of its three equal bets. Before fees and maximum payouts of the base game. */
  export interface Edge { wager: string; hands: number | null; exact: string; text: string; risk_exact: string | null; risk_text: string | null; stake_cents: number | null }
  /** A paytable of your own. */
  export interface EditedPaytable { id?: string; title?: string; ties?: "withdraw" | "ride"; wagers: Record<string, EditedWager> }
  /** What a wager shall pay: hands by name (royal_flush …), each a whole number, a fraction like 3/2, or seven. */
  export interface EditedWager { award: "to_one" | "total_award"; pays: Record<string, number | string | (number | string)[]> }
  /** What another book says about the same thing. */
  export interface Elsewhere { book: string; says: string; clauses: string[] }
  /** How many sessions were ended. */
  export interface Ended { sessions: number }
  /** A figure as a reduced fraction, and its value. */
  export interface Exact { exact: string; value: number }
  /** An answer in an exam. */
  export interface ExamAnswer { number: number; choice: "ride" | "withdraw" }
  /** Right answers about one bet. */
  export interface ExamBetScore { bet: number; right: number; asked: number }
  /** A class that was played wrongly in an exam. */
  export interface ExamMistake { kind: string; words: string; bet: number; asked: number; wrong: number; best: ("ride" | "withdraw")[]; value: Exact; lost_per_hundred_rounds: Exact; why: string; cards: string[] }
  /** The result of an exam. */
  export interface ExamReport { drill: string; paytable: string; title: string; asked: number; right: number; score: number; passed: boolean; pass_percent: number; bets: ExamBetScore[]; lost_per_hundred_rounds: Exact; house_edge_best_play: Exact; house_edge_as_answered: Exact; mistakes: ExamMistake[]; conventions: Record<string, string> }
  /** An exam: the question that is next, or at its end the report. */
  export interface ExamState { answered: number; of: number; question: PlayerQuestion | null; report: ExamReport | null }
  /** For how many days you want to be excluded. */
  export interface Exclusion { days: number }
  /** For how many days a player is excluded, and why. */
  export interface ExclusionByStaff { days: number; why: string }
  /** One fact that a ruling depends on. */
  export interface FactAsked { id: "when" | "looked" | "own" | "many" | "seen" | "out" | "uneven"; text: string; choices: FactChoice[] }
  /** One answer to a question. */
  export interface FactChoice { id: string; text: string }
  /** What an account asks for besides its password. */
  export interface Factors { app_since_ms: number | null; recovery_codes: number; passkeys: PasskeyShown[]; needed: boolean }
  /** What a round is entered on: the seats, the spots, and who banks. */
  export interface FeltOfBook { book: string; seats: number; spots: SpotOfFelt[]; banked: boolean; fees: boolean; capped: boolean }
  /** One thing that is asked: one of some options, or an amount where there are none. */
  export interface Field { name: string; label: string; options: Option[]; seat: number }
  /** The code that the server showed when it started, and who is to run the house. */
  export interface FirstAdministrator { code: string; name: string; password: string }
  /** A seat: its cards, its bets in cents by spot, and which of bets 1 and 2 ride. */
  export interface HandEntered { seat: number; cards: string[]; wagers: Record<string, number>; rides?: number[] }
  /** One hand with its spots. */
  export interface HandPaid { seat: number; player: string; cards: string[]; hand: string; spots: SpotPaid[]; fee_cents: number; net_cents: number }
  /** The pays of a wager for one number of hands. */
  export interface HandsColumn { hands: number; pays: Record<string, number | string> }
  /** Under which reference the operator knows a person, and how that was checked; the reference is kept as a hash. */
  export interface Identity { reference: string; why: string }
  /** Where a table is played, and what opens the door there, once. */
  export interface Joined { address: string; path: string; ticket: string; name: string; now_ms: number }
  /** Where a journal ends. */
  export interface JournalEnd { number: number; hash: string | null }
  /** Rows of a table's journal, and where it ends. */
  export interface JournalTold { table: string; format: string; rows: RowTold[]; next_after: number | null; end: JournalEnd; shuffles: number[] }
  /** One field of an answer: what was said, what is right, in words. */
  export interface Judged { name: string; label: string; given: string; expected: string; right: boolean }
  /** One key of a book: its value, where that comes from, and the clauses behind it. */
  export interface KeyData { key: string; value: boolean | number | string | string[] | Record<string, number>[] | null; applies: boolean; unit: string | null; words: string; source: string; book: string; clauses: string[]; note: string | null; table_may_choose: (boolean | number | string | string[] | Record<string, number>[] | null)[] | null; departs_from: string[] | null; document_value: boolean | number | string | string[] | Record<string, number>[] | null; document_words: string | null }
  /** Who a person is. */
  export interface Known { name: string; guest: boolean; roles: string[]; weak_password?: boolean }
  /** A paytable that can be learned, with its rules of thumb and every kind of decision. */
  export interface LessonInFull { paytable: string; title: string; drill: string; exam: string; standing: LessonStanding | null; rules: Record<string, string[]>; rule_codes: Record<string, string[]>; terms: string; kinds: DecisionKind[]; exam_answered: number | null; exam_questions: number; conventions: Record<string, string> }
  /** A player's progress in the kinds of decision of a paytable. */
  export interface LessonStanding { kinds: number; new: number; learning: number; known: number; due: number; asked: number; right: number }
  /** A paytable that can be learned, and how far you have come with it. */
  export interface LessonSummary { paytable: string; title: string; drill: string; exam: string; standing: LessonStanding | null }
  /** Limits for a player, and why. */
  export interface LimitsByStaff { loss_day_cents?: number | null; loss_week_cents?: number | null; loss_month_cents?: number | null; time_day_minutes?: number | null; reminder_minutes?: number | null; why: string }
  /** Limits; what is left out stays as it is, and null is no limit. */
  export interface LimitsGiven { loss_day_cents?: number | null; loss_week_cents?: number | null; loss_month_cents?: number | null; time_day_minutes?: number | null; reminder_minutes?: number | null }
  /** Limits; null is none. */
  export interface LimitsShown { loss_day_cents: number | null; loss_week_cents: number | null; loss_month_cents: number | null; time_day_minutes: number | null; reminder_minutes: number | null }
  /** Something that happened, as one viewer learns it: its parts, and the whole as an English sentence. */
  export interface Line { code: string; values?: Record<string, number | string>; bets?: [string, number][]; seats?: number[]; cards?: string[]; announced?: Announcement | null; moved?: MovedChips[]; clauses?: string[]; sentence: string }
  /** One line of the script with what its clauses demand; without clauses it is house procedure. */
  export interface LineTold { step: Record<string, unknown>; actor: "dealer" | "floor" | "player"; text: string; mends: boolean; clauses: ClauseText[] }
  /** An invitation. It lets in anyone who has it. */
  export interface Link { token: string; link: string; until_ms: number; uses: number }
  /** A round of your own to show to everybody who has the link. */
  export interface LinkWish { table: string; round: number; seat: number; name?: boolean }
  /** A table in the lobby. */
  export interface Listed { id: string; name: string; rulebook: string; rulebook_title: string; sha256: string; paytables: Record<string, string>; base_pays: string; device: string; bank: string; side_bets: Record<string, string>; meters_cents: Record<string, number>; seats: number; limits_cents: (number | null)[]; seated: number; bots: number; names: string[]; phase: string; round: number; state: string; bets_seconds: number; choice_seconds: number; private: boolean; your_seat: number | null; your_chips_cents: number }
  /** The best play of one bet: ride with any of the rules, otherwise take it back. */
  export interface LiveBet { rules: string[]; new_rules: string[]; gone_rules: string[]; classes: LiveClass[]; changed: LiveClass[]; codes: Record<string, string> }
  /** The base game under a maximum payout, beside the same without one. */
  export interface LiveCapped { stake_cents: number; payout_cents_max: number; scope: "player_round" | "hand" | "wager" | "round"; figures: LiveFigure[]; changed: LiveChange[] }
  /** A class of cards that is played otherwise because of the maximum payout. */
  export interface LiveChange { bet: number; words: string; name: string; rode: boolean; now: string; now_code: string }
  /** A class of cards, what letting the bet ride wins with it per unit, and whether it rides now and rode before. */
  export interface LiveClass { name: string; words: string; hands: number; frequency: Exact; rides: boolean; rode: boolean | null; value: Exact; text: string }
  /** One figure: rounded, exact where it is a fraction, what it means, and what it was in the other table. */
  export interface LiveFigure { name: string; words: string; text: string; value: number; exact: string | null; convention: string; before: string | null; change: string | null; change_number: string | null; is_share: boolean }
  /** One hand of one wager: what it pays, how often it comes, and what it adds to the result of a unit bet. */
  export interface LiveLine { category: string; pay: string | null; pay_before: string | null; combinations: number; probability: Exact; odds: string; one_in: string | null; result: Exact; result_text: string }
  /** A result of a round in units of one bet, and how often it comes. */
  export interface LiveNet { net: string; value: number; cases: number; probability: Exact; text: string }
  /** Everything about a paytable that is being edited. */
  export interface LivePar { id: string; title: string; sha256: string; published: string | null; against: string | null; ties: "withdraw" | "ride"; wagers: LiveWager[]; strategy: LiveStrategy | null; capped: LiveCapped | null }
  /** Something remarkable about a wager's pays: which, and its values. */
  export interface LiveRemark { code: string; values: Record<string, string> }
  /** The best play of the base game. */
  export interface LiveStrategy { bet1: LiveBet; bet2: LiveBet }
  /** One wager; for one number of hands where the pays depend on it. */
  export interface LiveWager { wager: string; hands: number | null; heading: string; figures: LiveFigure[]; lines: LiveLine[]; distribution: LiveNet[]; distribution_before: LiveNet[] | null; remarks: string[]; remark_parts: LiveRemark[] }
  /** An entry of the incident log. */
  export interface LoggedIncident { at: string; table: string; round: number; kind: string; seat: number | null; player: string | null; reporter: string; reporter_name: string | null; ruling: string; clauses: string[] }
  /** A name and a password. */
  export interface Login { name: string; password: string }
  /** What to do with some cards, and why. */
  export interface LookedUp { cards: string[]; bet: number; kind: string; words: string; best: ("ride" | "withdraw")[]; value: ChoiceValues; frequency: Exact; cost: Exact; cost_per_hundred_rounds: Exact; rule: string | null; near: string[]; why: string; rule_code?: string | null; near_codes?: string[] }
  /** What happened to an answer: right or not, field by field, with the clauses behind it. */
  export interface Mark { outcome: "right" | "wrong" | "catch" | "miss" | "false_alarm" | "clear"; sentence: string; judged: Judged[]; points: number; points_max: number; clauses: Cited[]; house_default: boolean; elsewhere: Elsewhere[]; number: number; kind: string; level: number; seconds: number; late: boolean; right: boolean }
  /** A maximum payout of the base game, at a stake of one base bet. */
  export interface Maximum { stake_cents: number; payout_cents_max: number; scope?: "player_round" | "hand" | "wager" | "round" }
  /** Who one is, and what one has. */
  export interface Me { name: string; guest: boolean; roles: string[]; weak_password?: boolean; wallet_cents: number; when_absent: "" | "withdraw" | "coach"; coach: "before" | "after" | "off"; second_factor: "" | "set_up" | "give" }
  /** One jackpot in figures: opening, fed, seeded and what came from elsewhere, less paid, is closing. */
  export interface MeterFigures { wager: string; shared: boolean; opening_cents: number; fed_cents: number; seeded_cents: number; paid_cents: number; elsewhere_cents: number; closing_cents: number }
  /** Money that came into a wallet, or went out of it. */
  export interface Moved { at_ms: number; kind: string; cents: number; balance_cents: number; reference: string; why: string }
  /** Chips that were moved. */
  export interface MovedChips { cents: number; source: AccountPart; target: AccountPart }
  /** Your own limits, what waits, what holds, and what is used of it. */
  export interface MyLimits { own: LimitsShown; waiting: Record<string, Waiting>; in_force: LimitsShown; used: Used; excluded_until_ms: number }
  /** What you want of the tables you play at; what is left out stays as it is. */
  export interface MySettings { when_absent?: "" | "withdraw" | "coach"; coach?: "before" | "after" | "off" }
  /** A new passkey, and what its owner calls it. */
  export interface NewPasskey { credential: string; name: string }
  /** The current password, and the new one. */
  export interface NewPassword { old: string; new: string }
  /** A person to hire. */
  export interface NewStaff { name: string; password: string; roles: ("player" | "dealer" | "floor" | "casino_supervisor" | "inspector" | "administrator")[] }
  /** What a sign-in at the provider is for, and where the browser goes after it. */
  export interface NewStart { purpose?: "sign_in" | "link" | "confirm"; to?: string }
  /** A table to open. `rulebook` is an id, a variant, or a name ending in .toml of one of the texts sent along. */
  export interface NewTable { name: string; rulebook: string; id?: string; limits_cents?: [number, number] | null; paytables?: Record<string, string>; values?: Record<string, unknown>; texts?: Record<string, string> }
  /** How long the closing of a table has to be on a sign while players sit there, and where the book says so. */
  export interface NoticeTold { minutes: number; clauses: ClauseText[] }
  /** A session that is not over; its token is nowhere but in its cookie. */
  export interface OpenSession { id: string; began_ms: number; seen_ms: number; until_ms: number; device: string; address: string; current: boolean }
  /** One thing that may be answered. */
  export interface Option { id: string; text: string }
  /** An order that the book knows for a role: what has to be said with it, and why it is refused now, if it is. */
  export interface OrderTold { kind: string; asks: ("seats" | "number" | "cards" | "cents_min" | "cents_max" | "when" | "ground" | "why")[]; seats: number[]; seats_min: number; seats_max: number; decks: number[]; grounds: string[]; notice_minutes: number; notice_clauses: ClauseText[]; refused: string | null }
  /** What another book says. */
  export interface OtherBook { book: string; title: string; ruling: string }
  /** A bet over the table's maximum, which is settled up to it. */
  export interface OverMaximum { stake_cents: number; settled_cents: number; house_edge_of_what_is_settled: Exact; house_edge_of_what_was_put_up: Exact }
  /** A decision the player made; values are average results of the base bets in cents. */
  export interface OwnDecision { bet: number; chosen: "ride" | "withdraw"; best?: "ride" | "withdraw" | ""; even?: boolean; stake_cents?: number; ride?: Exact | null; withdraw?: Exact | null; cost?: Exact | null; holding?: string; rule?: string }
  /** How you sign in to your account. */
  export interface OwnLink { linked: boolean; password: boolean }
  /** One hand of one round of one player. */
  export interface OwnRound { table: string; round: number; seat: number; status: "settled" | "void"; began_ms: number; ended_ms: number; book: string; book_title: string; paytable: string; result_cents: number; wagers?: OwnWager[]; fee_cents?: number; bank_stake_cents?: number; bank_net_cents?: number; cards?: string[]; community?: string[]; hand?: number; reading?: Reading | null; decisions?: OwnDecision[]; worth?: Worth | null; rulings?: OwnRuling[] }
  /** Your rounds, the latest first. */
  export interface OwnRoundsPage { rounds: OwnRound[]; found: number; next_before: string | null; titles: Titles; more: boolean }
  /** What was ruled or ordered in the round, as far as the player was told; without names and remarks. */
  export interface OwnRuling { name: string; sentence: string; seat: number; clauses: string[] }
  /** A wager and its result. */
  export interface OwnWager { wager: string; title: string; stake_cents: number; fate: "won" | "lost" | "withdrawn" | "returned" | "void" | "forfeited"; paid_cents: number; net_cents: number }
  /** The base game under a maximum payout, and how many classes of cards it makes play otherwise. */
  export interface ParCapped { stake_cents: number; payout_cents_max: number; scope: string; house_edge: Exact; element_of_risk: Exact; average_wager: Exact; bet1_ride_rate: Exact; bet2_ride_rate: Exact; standard_deviation: number; variance: Exact; bet1_classes_changed: number; bet2_classes_changed: number; classes_changed: string[] }
  /** One category of one wager. */
  export interface ParLine { category: string; combinations: number; probability: Exact; pay: string | null; units_riding: Exact; result: Exact }
  /** How often a result comes. */
  export interface ParNet { net: string; cases: number }
  /** The exact figures of one wager. */
  export interface ParOfWager { wager: string; hands?: number | null; award: string; stake_cents?: number | null; house_edge: Exact; element_of_risk?: Exact | null; average_wager?: Exact | null; bet1_ride_rate?: Exact | null; bet2_ride_rate?: Exact | null; hit_frequency: Exact; standard_deviation: number; variance: Exact; skewness: number; combinations: number; lines: ParLine[]; distribution: ParNet[]; printed: PrintedClaims }
  /** The par sheet of one paytable, as `letitride par --json` prints it. */
  export interface ParSheet { paytable: string; title: string; sha256: string; conventions: Record<string, string>; wagers: ParOfWager[]; capped?: ParCapped | null; capped_at?: ParCapped[] | null; over_maximum?: OverMaximum | null }
  /** The par sheets of a paytable, or of all paytables in force by a rule book. */
  export interface ParSheets { of: string; sheets: ParSheet[] }
  /** What a device answered. */
  export interface PasskeyAnswer { credential: string }
  /** What a browser asks a device with. */
  export interface PasskeyQuestion { options: string }
  /** A passkey of yours. */
  export interface PasskeyShown { id: string; name: string; added_ms: number; used_ms: number }
  /** What the round is paid, and the round as a record. */
  export interface PayoutTold { paid: RoundPaid; record: string }
  /** A paytable as `--json` and HTTP state it. */
  export interface PaytableData { id: string; title: string; sha256: string; wagers: WagerPays[] }
  /** What a table did, or all of them: money in cents; hold is win divided by drop. */
  export interface PitFigures { rounds: number; void_rounds: number; hands: number; handle_cents: number; drop_cents: number; win_cents: number; bank_win_cents: number; fees_cents: number; awards_cents: number; theoretical_win_cents: Exact; theoretical_as_played_cents: Exact; hold: Exact | null; standard_deviations: number | null; irregularities: number; orders: number; disputes_raised: number; disputes_upheld: number; band: string; band_sentence: string; band_low_cents: number | null; band_high_cents: number | null; alarm: boolean }
  /** All tables of a house over a gaming day or a month. */
  export interface PitReport { day: string; zone: string; since: string; until: string; tables: PitTable[]; total: PitFigures; log: LoggedIncident[]; ratings: PlayerRating[] }
  /** A table within the time of the report. */
  export interface PitTable { table: string; name: string; figures: PitFigures; dealers: DealerTime[]; dealt: DealerRounds[] }
  /** What is to be said about an answer. */
  export interface PlayerJudgment { choice: "ride" | "withdraw"; right: boolean; lost: Exact; lost_per_hundred_rounds: Exact; advice: LookedUp }
  /** One hand: what would you do? */
  export interface PlayerQuestion { number: number; place: number; of: number; bet: number; cards: string[] }
  /** A player's play, for a player-tracking system. */
  export interface PlayerRating { player: string; minutes: number; hands: number; average_bet_cents: Exact | null; decisions_an_hour: Exact | null; drop_cents: number; win_cents: number; theoretical_win_cents: Exact }
  /** How things stood after so many hands: sums in cents. */
  export interface Point { hands: number; result_cents: number; expected_cents: number; sigma_cents: number }
  /** What can be reported under a book. */
  export interface PossibleIrregularities { book: string; irregularities: PossibleIrregularity[] }
  /** Something that may be wrong: who may report it, what a report has to say, and what it may come to. */
  export interface PossibleIrregularity { kind: string; what: string; asks: ("seat" | "community_card")[]; reporters: string[]; rules: DecidingRule[]; outcomes: PossibleOutcome[] }
  /** What a report may come to. */
  export interface PossibleOutcome { decision: string; sentence: string; clauses: ClauseText[]; house_default: boolean }
  /** A paytable you edit, and what you want to know of it. */
  export interface PricedPaytable { id?: string; title?: string; ties?: "withdraw" | "ride"; wagers: Record<string, EditedWager>; against?: string; maximum?: Maximum | null }
  /** What the source prints about a wager. */
  export interface PrintedClaims { par: string | null; hit_frequency: string | null }
  /** What the source prints about a wager, and the clause whose document prints it. */
  export interface PrintedFigures { par: string | null; hit_frequency: string | null; in?: string | null }
  /** A table of your own: the book it is played by, its name, and what you want otherwise than the book. `rulebook` is the id of a published book, or the name ending in .toml of one of the texts sent along. */
  export interface PrivateTable { rulebook: string; name: string; limits_cents?: [number, number] | null; paytables?: Record<string, string>; choice_seconds?: number | null; bots?: number; texts?: Record<string, string> }
  /** The id of a table. */
  export interface PrivateTableOpened { id: string }
  /** Your password, once more. */
  export interface Proof { password: string }
  /** What a drill asks at one moment. */
  export interface Question { number: number; kind: "step" | "pay" | "notice" | "rule" | "clause" | "may" | "who"; text: string; scene: Scene; fields: Field[]; level: number; seconds: number }
  /** The denominations of a table's trays, from its next opener on. */
  export interface RackAsked { denominations_cents: number[] }
  /** A hand as a dealer reads it, in parts: its class, and the ranks named with it, most telling first. */
  export interface Reading { hand: string; ranks: string }
  /** Recovery codes, shown this once; each signs its owner in once in place of the second factor. */
  export interface RecoveryCodes { codes: string[] }
  /** To set a halted table going: as it was, or with its round void and every stake given back. */
  export interface RecoveryWish { how: "resume" | "void"; why: string }
  /** Why something is refused, in a sentence; by a code and its values, where there is one, clients word it. */
  export interface Refused { detail: string; code?: string | null; values?: Record<string, string | number> | null }
  /** Something that is so now and may be reported: the command, and what is wrong in words. */
  export interface ReportTold { command: Record<string, unknown>; what: string }
  /** A drill or an exam that a person has finished. */
  export interface Result { person: string; drill: string; asked: number; right: number; score: number; details: Record<string, unknown>; finished_ms: number }
  /** Your own rounds at a table, in order, hand by hand; rounds that were not played out are left out. */
  export interface Reviewed { table: string; rounds: RoundReviewed[]; through: number }
  /** A decision that was made; nothing is said of one made without looking at the cards. */
  export interface ReviewedChoice { bet: 1 | 2; chosen: "ride" | "withdraw"; best?: "ride" | "withdraw" | null; even?: boolean; stake_cents?: number; cards?: string[]; community?: string[]; holding?: string | null; rule?: string | null; cost_cents?: Exact | null; cost_text?: string | null }
  /** A round as the camera saw it, under a published book. */
  export interface RoundEntered { rulebook: string; values?: Record<string, number | string | boolean>; hands: HandEntered[]; community: string[]; bank_seat?: number; bank_cents?: number; dice?: number; meters?: Record<string, number> }
  /** A link of yours. */
  export interface RoundLinkShown { token: string; address: string; made_ms: number; name: boolean; table: string; round: number; seat: number }
  /** A whole round. */
  export interface RoundPaid { rulebook: string; title: string; community: string[]; hands: HandPaid[]; bank_fee_cents: number; house_net_cents: number }
  /** A hand of a player's round: its result, the average result of such bets, and what mistakes gave away. */
  export interface RoundReviewed { round: number; seat: number; ended_ms: number; result_cents: number; expected_cents: Exact; variance: number; mistakes_cents: Exact; decisions: ReviewedChoice[] }
  /** A round step by step. */
  export interface RoundSteps { round: number; status: "settled" | "void" | "running"; began_ms: number; ended_ms: number | null; rulebook: string; seats: SeatSummary[]; bank: BankSummary | null; rulings: RulingView[]; table: string; recall: true; steps: StepView[]; next_after: number | null }
  /** A round in short. */
  export interface RoundSummary { round: number; status: "settled" | "void" | "running"; began_ms: number; ended_ms: number | null; rulebook: string; seats: SeatSummary[]; bank: BankSummary | null; rulings: RulingView[] }
  /** Rounds of a table, the latest first. */
  export interface Rounds { table: string; recall: true; rounds: RoundSummary[]; next_before: number | null }
  /** A row. Its hash is SHA-256 over the format, a line of JSON with the other fields, the events as they are kept. */
  export interface RowTold { number: number; at_ms: number; by: string; person: string | null; command: string; epoch: number; previous: string | null; hash: string | null; events: string | null; sealed: string | null; row_key: string | null }
  /** One rule: what it is about, what it says here, where that comes from, and the clauses behind it. */
  export interface RuleText { key: string; about: string; says: string; value: boolean | number | string | string[] | Record<string, number>[] | null; unit: string | null; wager: string | null; origin: "ruled" | "omission" | "house" | "table" | "own"; origin_words: string; book: string; clauses: ClauseText[]; note: string | null; departs_from: ClauseText[]; departs_document: string | null }
  /** The rules of a book, or of a table with its own values. */
  export interface RulesText { id: string; title: string; edition: string | null; extends: string[]; sha256: string; chapters: ChapterText[] }
  /** What a book rules, where the answers to its questions are these. */
  export interface RulingAnswer { given: Record<string, string>; ruling: string; decision: string; steps: StepTold[]; wagers: WagerTold[]; clauses: ClauseText[]; house_default: boolean; elsewhere: OtherBook[] }
  /** What was ruled or ordered, with what its clauses demand. */
  export interface RulingCited { name: string; sentence: string; seat: number | null; by: string; why: string | null; clauses: ClauseText[] }
  /** All that a book rules, for a page that has to do without a network. */
  export interface RulingDesk { book: string; title: string; same: Record<string, string[]>; silent: string[]; situations: SituationTold[] }
  /** What was ruled, how often in the same words, and when; or one order, and when. */
  export interface RulingFigures { name: string; count: number; sentence: string; clauses: string[]; at_ms: number[] }
  /** What was ruled or ordered. */
  export interface RulingView { name: string; sentence: string; seat: number | null; clauses: string[]; house_default: boolean; by: string; why: string | null }
  /** A table at one moment, and what has just happened there. */
  export interface Scene { book: string; phase: string; round: number; limits: string; seats: SeatSeen[]; community: string[]; packet: number; packet_cards: string[]; drawn: string[]; deck: number; rack: number; told: string[]; signals: string[]; spots: SpotSeen[] }
  /** Advice for your own seat; where there is nothing to decide, a sentence. */
  export interface SeatAdvice { table: string; version: number; seat: number | null; decision: DueChoice | null; sentence: string | null }
  /** One seat as it is seen from behind the table. */
  export interface SeatSeen { number: number; player: string; wagers: Record<string, number>; cards: string[]; looked: boolean; away: boolean; choices: Record<string, string>; banks: boolean; taken: Record<string, number>; hand: string }
  /** A player's part in a round; cards and hand only where they were turned up for all viewers. */
  export interface SeatSummary { seat: number; player: string; wagers: WagerSummary[]; net_cents: number | null; fee_cents: number; cards: string[]; hand: string | null; readings?: Reading[] }
  /** What the second person says to it. */
  export interface SecondWord { why: string }
  /** Whether there is a first administrator to be made. */
  export interface SetupNeeded { needed: boolean }
  /** A round as its player saw it; of other players there is nothing. */
  export interface SharedRound { player: string; made_ms: number; round: OwnRound }
  /** What happened at a table within a time, in figures; `conventions` says what each means. */
  export interface ShiftFigures { kind: string; format: number; table: string; from_ms: number | null; to_ms: number | null; first_ms: number | null; last_ms: number | null; rulebooks: string[]; paytables: Record<string, string>; banked_by: string; rounds: number; void_rounds: number; rounds_with_irregularities: number; hands: number; players: number; placed_cents: number; handle_cents: number; average_base_bet: Exact | null; drop_cents: number; purchases: number; cashed_out_cents: number; vouchers_cents: number; win_cents: number; forfeited_cents: number; fees_cents: number; awards_cents: number; hold_of_drop: Exact | null; hold_of_handle: Exact | null; wagers: WagerFigures[]; theory: TheoryFigures; irregularities: RulingFigures[]; orders: RulingFigures[]; disputes: DisputeFigures; accounts: AccountFigures; tray_change_cents: number; tray_change_of_rounds_on_the_edges_cents: number; zero_sum: boolean; conventions: Record<string, string>; meters?: MeterFigures[] | null }
  /** To take the shift as a dealer, or to end it; the floor ends anybody's. */
  export interface ShiftWish { act: "take" | "end" }
  /** Something that can go wrong, how people say it, what has to be asked, and every answer. */
  export interface SituationTold { id: string; title: string; phrases: string[]; questions: FactAsked[]; answers: RulingAnswer[] }
  /** A slip to write, with the tray as you saw it. */
  export interface SlipAsked { kind: "opener" | "fill" | "credit" | "colour_up" | "count" | "closer" | "drop"; tray: number; version: number; row: number; chips?: Record<string, number>; out?: Record<string, number>; box_cents?: number | null; asked_by?: string; brought_by?: string; received_by?: string; counted_by?: string; why?: string }
  /** A slip of a tray: numbered, never changed. */
  export interface SlipTold { number: number; kind: "opener" | "fill" | "credit" | "colour_up" | "count" | "closer" | "drop"; at_ms: number; row: number; chips: Record<string, number>; out: Record<string, number>; cents: number; entered_by: string; asked_by: string | null; brought_by: string | null; received_by: string | null; counted_by: string | null; approved_by: string | null; why: string | null }
  /** A spot that can be bet on. */
  export interface SpotOfFelt { spot: string; wager: string; base: boolean }
  /** One spot: what it comes to, and how. */
  export interface SpotPaid { spot: string; name: string; stake_cents: number; fate: string; paid_cents: number; back_cents: number; net_cents: number; steps: string[] }
  /** A spot of the felt: its name in `wagers`, what the felt prints on it, and the bet it is for. */
  export interface SpotSeen { spot: string; label: string; title: string }
  /** What changes about a person: their roles, whether their account is shut or locked, their password. */
  export interface StaffChange { roles?: ("player" | "dealer" | "floor" | "casino_supervisor" | "inspector" | "administrator")[] | null; disabled?: boolean | null; unlock?: boolean; new_password?: string | null; why?: string }
  /** A person who works here; locked: wrong passwords were tried of late, and their sources wait before the next. */
  export interface StaffMember { name: string; roles: ("player" | "dealer" | "floor" | "casino_supervisor" | "inspector" | "administrator")[]; disabled: boolean; locked: boolean; second_factor?: boolean }
  /** How a table stands besides the game; `dealer` is 'automatic' or who has the shift, `reason` is for staff. */
  export interface Standing { id: string; state: "open" | "closing" | "closed" | "halted"; dealer: string; clock: Clock | null; reason: string | null }
  /** Where the sign-in goes on. */
  export interface Started { address: string }
  /** Your rounds summed up: of this session, of a table, or of all time. */
  export interface Statistics { scope: "session" | "table" | "all"; since_ms: number | null; sums: Sums; points: Point[]; best: OwnRound[]; books: BookSums[]; titles: Titles; more: boolean }
  /** A step that carries out a ruling, and who does it. */
  export interface StepTold { actor: string; text: string }
  /** One step: its sentences, and the view as that person was allowed to see it then. */
  export interface StepView { row: number; at_ms: number; by: string; viewer: string; sentences: string[]; lines?: Line[]; view: Record<string, unknown> }
  /** Rounds summed up: the result is expectation - mistakes + luck, and what cannot be judged so beside it. */
  export interface Sums { hands: number; won: number; lost: number; result_cents: number; wagered_cents: number; judged_hands: number; judged_cents: number; expected_cents: Exact; mistakes_cents: Exact; luck_cents: Exact; variance: Exact; sigma_cents: number; unjudged_cents: number; bank_cents: number; fees_cents: number; decisions: number; right: number }
  /** The edges of a table. */
  export interface TableEdges { table: string; edges: Edge[] }
  /** A table that was opened. */
  export interface TableOpenedHere { id: string }
  /** How many invitations are void now. */
  export interface TakenBack { invitations: number }
  /** Win beside its exact expectation, at best play and as the hands were played. */
  export interface TheoryFigures { hands_judged: number; hands_needed: number; win_judged_cents: number; expected_win_cents: Exact; by_wager: Record<string, Exact>; standard_deviation_cents: number; bands_cents: Record<string, [number, number]>; z: number | null; decisions: number; mistakes: number; given_away_cents: Exact; expected_win_as_played_cents: Exact; bands_as_played_cents: Record<string, [number, number]>; z_as_played: number | null }
  /** What tables and books are called, by id. */
  export interface Titles { tables: Record<string, string>; books: Record<string, string> }
  /** A tray at its last count of the whole: closer + drop + credits - opener - fills, and the ledger's word. */
  export interface TrayResult { closed: boolean; opener_cents: number; fills_cents: number; credits_cents: number; counted_cents: number; expected_cents: number; tray_difference_cents: number; drop_cents: number; drop_counted_cents: number | null; drop_ledger_cents: number; drop_difference_cents: number; result_cents: number; result_ledger_cents: number; difference_cents: number }
  /** A table's last tray, as it stands; `tray`, `version` and `row` go with the next slip. */
  export interface TrayTold { table: string; tray: number; version: number; row: number; open: boolean; rack: number[]; expected_cents: number | null; slips: SlipTold[]; result: TrayResult | null }
  /** What counts against the limits: losses of visits that are over, and all that is at tables now. */
  export interface Used { loss_day_cents: number; loss_week_cents: number; loss_month_cents: number; time_day_minutes: number; sitting_since_ms: number }
  /** What went to a table and came back from it. */
  export interface VisitPaid { table: string; since_ms: number; until_ms: number; bought_cents: number; back_cents: number }
  /** A voucher to issue, once for each reference of its player. */
  export interface VoucherIssued { cents: number; into?: "chips" | "tokens" | "match_play"; days: number | null; reference: string; why: string }
  /** A voucher, its conditions, and whether it was redeemed. */
  export interface VoucherShown { id: string; cents: number; into: "chips" | "tokens" | "match_play"; why: string; left: boolean; issued_ms: number; until_ms: number; redeemed_at: string | null; redeemed_ms: number }
  /** One wager in figures. */
  export interface WagerFigures { wager: string; bets: number; placed_cents: number; handle_cents: number; paid_cents: number; win_cents: number }
  /** What one wager pays, hand by hand; in columns where that depends on the number of hands. */
  export interface WagerPays { wager: string; award: string; clauses: string[]; pays?: Record<string, number | string> | null; columns?: HandsColumn[] | null; printed: PrintedFigures }
  /** A wager and its result; 'open' in a round that is not over. */
  export interface WagerSummary { wager: string; stake_cents: number; fate: "won" | "lost" | "withdrawn" | "returned" | "void" | "forfeited" | "open"; paid_cents: number; back_cents: number; net_cents: number }
  /** What happens to a wager. */
  export interface WagerTold { wager: string; effect: string }
  /** A looser limit, and when it will hold. */
  export interface Waiting { value: number | null; from_ms: number }
  /** What you have, and where it came from and went, the latest first. */
  export interface Wallet { cents: number; outside_cents: number | null; top_up_cents: number | null; movements: Moved[]; visits: VisitPaid[] }
  /** How people sign in here. */
  export interface Ways { provider: string | null; staff_passwords: boolean; passkeys: boolean }
  /** How many people an invitation lets in, and for how many hours it is good. */
  export interface Wish { uses?: number; hours?: number }
  /** What a hand's wagers were worth, in cents; the variance in cents squared. */
  export interface Worth { expected: Exact; variance: Exact; mistakes: Exact }
}

// Every address: what it takes, and what it answers
export interface Addresses {
  "POST /api/accounts": { takes: Http.Login; gives: Http.Known };
  "GET /api/approvals": { takes: undefined; gives: Http.ApprovalTold[] };
  "POST /api/approvals/{approval_id}/approve": { takes: Http.SecondWord; gives: Http.ApprovalTold };
  "POST /api/approvals/{approval_id}/decline": { takes: Http.SecondWord; gives: Http.ApprovalTold };
  "GET /api/audit": { takes: undefined; gives: Http.Audited[] };
  "GET /api/backups": { takes: undefined; gives: Http.BackupFile[] };
  "POST /api/backups": { takes: undefined; gives: Http.BackupFile };
  "GET /api/backups/{name}": { takes: undefined; gives: undefined };
  "GET /api/desk": { takes: undefined; gives: Http.DeskTable[] };
  "GET /api/digests": { takes: undefined; gives: Http.DigestsHere };
  "GET /api/edges": { takes: undefined; gives: Http.TableEdges[] };
  "POST /api/guest": { takes: undefined; gives: Http.Known };
  "POST /api/invitations/{token}": { takes: undefined; gives: Http.PrivateTableOpened };
  "GET /api/learn/assignments": { takes: undefined; gives: Http.AssignmentTold[] };
  "POST /api/learn/assignments": { takes: Http.AssignmentWish; gives: Http.AssignmentTold };
  "GET /api/learn/assignments/mine": { takes: undefined; gives: Http.AssignmentTold[] };
  "GET /api/learn/assignments/results": { takes: undefined; gives: Http.Result[] };
  "DELETE /api/learn/assignments/{assignment}": { takes: undefined; gives: undefined };
  "GET /api/learn/dealer": { takes: undefined; gives: Http.DrillCatalogue };
  "DELETE /api/learn/dealer/{book}/{drill}": { takes: undefined; gives: undefined };
  "POST /api/learn/dealer/{book}/{drill}/answer": { takes: Http.DrillSaid; gives: Http.DrillMarked };
  "POST /api/learn/dealer/{book}/{drill}/question": { takes: Http.DrillWish; gives: Http.DrillState };
  "GET /api/learn/player": { takes: undefined; gives: Http.LessonSummary[] };
  "GET /api/learn/player/{paytable}": { takes: undefined; gives: Http.LessonInFull };
  "DELETE /api/learn/player/{paytable}": { takes: undefined; gives: undefined };
  "POST /api/learn/player/{paytable}/answer": { takes: Http.DrillAnswer; gives: Http.DrillAnswered };
  "POST /api/learn/player/{paytable}/exam": { takes: undefined; gives: Http.ExamState };
  "DELETE /api/learn/player/{paytable}/exam": { takes: undefined; gives: undefined };
  "POST /api/learn/player/{paytable}/exam/answer": { takes: Http.ExamAnswer; gives: Http.ExamState };
  "GET /api/learn/player/{paytable}/lookup": { takes: undefined; gives: Http.LookedUp };
  "POST /api/learn/player/{paytable}/question": { takes: undefined; gives: Http.PlayerQuestion };
  "GET /api/learn/results": { takes: undefined; gives: Http.Result[] };
  "POST /api/login": { takes: Http.Login; gives: Http.Known };
  "POST /api/login/code": { takes: Http.Code; gives: Http.Known };
  "POST /api/login/passkey": { takes: Http.PasskeyAnswer; gives: Http.Known };
  "POST /api/login/passkey/options": { takes: undefined; gives: Http.PasskeyQuestion };
  "POST /api/logout": { takes: undefined; gives: undefined };
  "POST /api/logout-everywhere": { takes: undefined; gives: Http.Ended };
  "GET /api/me": { takes: undefined; gives: Http.Me };
  "POST /api/me/chips": { takes: undefined; gives: Http.Moved };
  "POST /api/me/exclusion": { takes: Http.Exclusion; gives: Http.MyLimits };
  "GET /api/me/factors": { takes: undefined; gives: Http.Factors };
  "POST /api/me/factors/app": { takes: undefined; gives: Http.AppDraft };
  "DELETE /api/me/factors/app": { takes: undefined; gives: undefined };
  "POST /api/me/factors/app/confirm": { takes: Http.Code; gives: Http.RecoveryCodes };
  "POST /api/me/factors/passkeys": { takes: Http.NewPasskey; gives: Http.RecoveryCodes };
  "POST /api/me/factors/passkeys/options": { takes: undefined; gives: Http.PasskeyQuestion };
  "DELETE /api/me/factors/passkeys/{passkey_id}": { takes: undefined; gives: undefined };
  "POST /api/me/factors/proof": { takes: Http.Code; gives: undefined };
  "POST /api/me/factors/proof/passkey": { takes: Http.PasskeyAnswer; gives: undefined };
  "POST /api/me/factors/proof/passkey/options": { takes: undefined; gives: Http.PasskeyQuestion };
  "POST /api/me/factors/recovery": { takes: undefined; gives: Http.RecoveryCodes };
  "GET /api/me/limits": { takes: undefined; gives: Http.MyLimits };
  "PATCH /api/me/limits": { takes: Http.LimitsGiven; gives: Http.MyLimits };
  "POST /api/me/limits/reminder": { takes: undefined; gives: Http.MyLimits };
  "DELETE /api/me/limits/waiting": { takes: undefined; gives: Http.MyLimits };
  "GET /api/me/links": { takes: undefined; gives: Http.RoundLinkShown[] };
  "POST /api/me/links": { takes: Http.LinkWish; gives: Http.RoundLinkShown };
  "DELETE /api/me/links/{token}": { takes: undefined; gives: undefined };
  "GET /api/me/oidc": { takes: undefined; gives: Http.OwnLink };
  "DELETE /api/me/oidc": { takes: undefined; gives: undefined };
  "POST /api/me/password": { takes: Http.NewPassword; gives: undefined };
  "POST /api/me/proof": { takes: Http.Proof; gives: undefined };
  "GET /api/me/rounds": { takes: undefined; gives: Http.OwnRoundsPage };
  "GET /api/me/rounds/file": { takes: undefined; gives: undefined };
  "GET /api/me/sessions": { takes: undefined; gives: Http.OpenSession[] };
  "DELETE /api/me/sessions": { takes: undefined; gives: Http.Ended };
  "DELETE /api/me/sessions/{session_id}": { takes: undefined; gives: undefined };
  "PUT /api/me/settings": { takes: Http.MySettings; gives: undefined };
  "GET /api/me/statistics": { takes: undefined; gives: Http.Statistics };
  "GET /api/me/vouchers": { takes: undefined; gives: Http.VoucherShown[] };
  "GET /api/me/wallet": { takes: undefined; gives: Http.Wallet };
  "GET /api/oidc/callback": { takes: undefined; gives: undefined };
  "POST /api/oidc/start": { takes: Http.NewStart; gives: Http.Started };
  "POST /api/par": { takes: Http.EditedPaytable; gives: Http.ParSheets };
  "POST /api/par/file": { takes: Http.PricedPaytable; gives: undefined };
  "POST /api/par/live": { takes: Http.PricedPaytable; gives: Http.LivePar };
  "GET /api/par/{ref}": { takes: undefined; gives: Http.ParSheets };
  "GET /api/par/{ref}.pdf": { takes: undefined; gives: undefined };
  "POST /api/payout": { takes: Http.RoundEntered; gives: Http.PayoutTold };
  "GET /api/paytables": { takes: undefined; gives: Http.PaytableData[] };
  "GET /api/paytables/{ref}": { takes: undefined; gives: Http.PaytableData };
  "POST /api/people/{name}/exclusion": { takes: Http.ExclusionByStaff; gives: Http.MyLimits };
  "DELETE /api/people/{name}/factors": { takes: undefined; gives: undefined };
  "PATCH /api/people/{name}/limits": { takes: Http.LimitsByStaff; gives: Http.MyLimits };
  "DELETE /api/people/{name}/oidc": { takes: undefined; gives: undefined };
  "GET /api/people/{name}/sessions": { takes: undefined; gives: Http.OpenSession[] };
  "DELETE /api/people/{name}/sessions": { takes: undefined; gives: Http.Ended };
  "POST /api/people/{name}/verification": { takes: Http.Identity; gives: undefined };
  "GET /api/pit": { takes: undefined; gives: Http.PitReport };
  "GET /api/pit/ratings": { takes: undefined; gives: undefined };
  "POST /api/private-tables": { takes: Http.PrivateTable; gives: Http.PrivateTableOpened };
  "DELETE /api/private-tables/{table_id}": { takes: undefined; gives: undefined };
  "GET /api/rounds/{token}": { takes: undefined; gives: Http.SharedRound };
  "GET /api/rounds/{token}/picture.png": { takes: undefined; gives: undefined };
  "GET /api/rounds/{token}/proof": { takes: undefined; gives: Http.CardProofs };
  "GET /api/rulebooks": { takes: undefined; gives: Http.BookSummary[] };
  "GET /api/rulebooks/{ref}": { takes: undefined; gives: Http.BookInFull };
  "GET /api/rulebooks/{ref}/felt": { takes: undefined; gives: Http.FeltOfBook };
  "GET /api/rulebooks/{ref}/irregularities": { takes: undefined; gives: Http.PossibleIrregularities };
  "GET /api/rulebooks/{ref}/rules": { takes: undefined; gives: Http.RulesText };
  "GET /api/rulebooks/{ref}/rulings": { takes: undefined; gives: Http.RulingDesk };
  "GET /api/setup": { takes: undefined; gives: Http.SetupNeeded };
  "POST /api/setup": { takes: Http.FirstAdministrator; gives: Http.StaffMember };
  "GET /api/sign-in": { takes: undefined; gives: Http.Ways };
  "GET /api/staff": { takes: undefined; gives: Http.StaffMember[] };
  "POST /api/staff": { takes: Http.NewStaff; gives: Http.StaffMember };
  "PATCH /api/staff/{name}": { takes: Http.StaffChange; gives: Http.StaffMember };
  "GET /api/tables": { takes: undefined; gives: Http.Listed[] };
  "POST /api/tables": { takes: Http.NewTable; gives: Http.TableOpenedHere };
  "GET /api/tables/{table_id}/advice": { takes: undefined; gives: Http.SeatAdvice };
  "POST /api/tables/{table_id}/bots": { takes: undefined; gives: Http.BotsWanted };
  "DELETE /api/tables/{table_id}/bots": { takes: undefined; gives: Http.BotsWanted };
  "GET /api/tables/{table_id}/coach": { takes: undefined; gives: Http.Reviewed };
  "GET /api/tables/{table_id}/desk": { takes: undefined; gives: Http.DeskOfTable };
  "GET /api/tables/{table_id}/export": { takes: undefined; gives: undefined };
  "POST /api/tables/{table_id}/invitations": { takes: Http.Wish; gives: Http.Link };
  "DELETE /api/tables/{table_id}/invitations": { takes: undefined; gives: Http.TakenBack };
  "GET /api/tables/{table_id}/irregularities": { takes: undefined; gives: Http.PossibleIrregularities };
  "POST /api/tables/{table_id}/join": { takes: undefined; gives: Http.Joined };
  "GET /api/tables/{table_id}/journal": { takes: undefined; gives: Http.JournalTold };
  "PUT /api/tables/{table_id}/limits": { takes: Http.LimitsByStaff; gives: undefined };
  "GET /api/tables/{table_id}/proofs": { takes: undefined; gives: Http.Docket };
  "GET /api/tables/{table_id}/proofs/{round_number}/{shuffle}": { takes: undefined; gives: Record<string, unknown> };
  "POST /api/tables/{table_id}/recover": { takes: Http.RecoveryWish; gives: Http.Standing };
  "GET /api/tables/{table_id}/rounds": { takes: undefined; gives: Http.Rounds };
  "GET /api/tables/{table_id}/rounds/{number}": { takes: undefined; gives: Http.RoundSteps };
  "GET /api/tables/{table_id}/rounds/{number}/record": { takes: undefined; gives: undefined };
  "GET /api/tables/{table_id}/rules": { takes: undefined; gives: Http.RulesText };
  "GET /api/tables/{table_id}/shift": { takes: undefined; gives: Http.ShiftFigures };
  "POST /api/tables/{table_id}/shift": { takes: Http.ShiftWish; gives: Http.Standing };
  "GET /api/tables/{table_id}/sign": { takes: undefined; gives: undefined };
  "GET /api/tables/{table_id}/state": { takes: undefined; gives: Http.Standing };
  "POST /api/tables/{table_id}/state": { takes: Http.DoorWish; gives: Http.Standing };
  "GET /api/tables/{table_id}/tray": { takes: undefined; gives: Http.TrayTold };
  "POST /api/tables/{table_id}/tray": { takes: Http.SlipAsked; gives: Http.SlipTold };
  "PUT /api/tables/{table_id}/tray/rack": { takes: Http.RackAsked; gives: number[] };
  "GET /api/tables/{table_id}/tray/{number}/slips/{slip}": { takes: undefined; gives: undefined };
  "GET /api/vouchers/{name}": { takes: undefined; gives: Http.VoucherShown[] };
  "POST /api/vouchers/{name}": { takes: Http.VoucherIssued; gives: Http.VoucherShown };
  "POST /api/wallets/{name}/deposit": { takes: Http.Amount; gives: Http.Moved };
  "POST /api/wallets/{name}/withdraw": { takes: Http.Amount; gives: Http.Moved };
  "GET /healthz": { takes: undefined; gives: undefined };
  "GET /metrics": { takes: undefined; gives: undefined };
  "GET /readyz": { takes: undefined; gives: undefined };
}
