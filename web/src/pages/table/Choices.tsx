// Decision buttons: what a player is asked in a round, each answer a button with a key; only what the view offers.
import { useSignal } from "@preact/signals";
import { Button } from "../../parts/Button";
import { centsOf, money, t, typedDollars } from "../../texts";
import { ASKED, type Game } from "./game";
import { useKeys } from "./keys";
import { baseSpot } from "./spots";

const UNEVEN = ["Correct", "Fold", "RefuseCorrection"] as const;

/** Whether there is anything to answer. */
export const isAsked = (game: Game): boolean =>
  ASKED.some((type) => game.offer(type));

export function Choices({ game }: { game: Game }) {
  const ride = game.offer("Choose", (one) => one.choice === "ride");
  if (ride) return <Ride game={game} bet={ride.bet} />;
  if (game.offer("LookOver")) return <LookOver game={game} />;
  if (UNEVEN.some((type) => game.offer(type))) return <Correct game={game} />;
  if (game.offer("TakeBank") || game.offer("DeclineBank")) return <Bank game={game} />;
  if (game.offer("Claim")) return <Claim game={game} />;
  return null;
}

function Ride({ game, bet }: { game: Game; bet: number }) {
  const seat = game.seat.value;
  const stake = game.mine.value?.wagers[baseSpot(bet)] ?? 0;
  const choose = (choice: "ride" | "withdraw"): void =>
    void game.act({ type: "Choose", seat, bet: bet as 1 | 2, choice });
  const waits = (choice: string): boolean => game.pending.value.some((one) => one.type === "Choose" && one.choice === choice);
  const tuck = game.offer("Tuck");
  const idle = !game.busy.value; // a key does what its button does: nothing while an answer is awaited
  useKeys({
    r: idle && (() => choose("ride")),
    t: idle && (() => choose("withdraw")),
    u: idle && !!tuck && (() => void game.act({ type: "Tuck", seat })),
  });
  return (
    <div class="choices-bar" role="group" aria-label={t("choose.about", { bet })}>
      <p class="choices-question">
        {game.own.value.length > 1 && t("rail.hand.asked", { seat })} {t("choose.question", { bet, amount: money(stake) })}
      </p>
      <Sides game={game} seat={seat} />
      {tuck && bet === 1 && (
        <Button kind="quiet" keyName="U" disabled={game.busy.value} onClick={() => void game.act({ type: "Tuck", seat })}>
          {t("choose.tuck")}
        </Button>
      )}
      <div class="choices-two">
        <Button class="choice choice-ride" keyName="R" disabled={game.busy.value} waits={waits("ride")} onClick={() => choose("ride")}>
          {t("choose.ride")}
        </Button>
        <Button class="choice choice-pull" keyName="T" disabled={game.busy.value} waits={waits("withdraw")} onClick={() => choose("withdraw")}>
          {t("choose.withdraw")}
        </Button>
      </div>
    </div>
  );
}

/** A decision made while others decide: held until the player's turn, and taken back by pressing it again. */
export function Ahead({ game, bet }: { game: Game; bet: 1 | 2 }) {
  const seat = game.seat.value;
  const stake = game.mine.value?.wagers[baseSpot(bet)] ?? 0;
  const held = game.ahead.value?.choice;
  function hold(choice: "ride" | "withdraw"): void {
    game.ahead.value = held === choice ? null : { round: game.view.value!.round, bet, seat, choice };
  }
  useKeys({ r: () => hold("ride"), t: () => hold("withdraw") });
  return (
    <div class="choices-bar is-ahead" role="group" aria-label={t("ahead.about", { bet })}>
      <p class="choices-question" role="status">
        {held ? t(held === "ride" ? "ahead.ride" : "ahead.withdraw", { bet }) : t("ahead.question", { bet, amount: money(stake) })}
      </p>
      <div class="choices-two">
        <Button class="choice choice-ride" keyName="R" aria-pressed={held === "ride"} onClick={() => hold("ride")}>
          {t("choose.ride")}
        </Button>
        <Button class="choice choice-pull" keyName="T" aria-pressed={held === "withdraw"} onClick={() => hold("withdraw")}>
          {t("choose.withdraw")}
        </Button>
      </div>
    </div>
  );
}

/** The side bets that may be taken back with this decision, each a button of its own. */
function Sides({ game, seat }: { game: Game; seat: number }) {
  const spots = (game.view.value?.offers ?? []).flatMap((one) => (one.type === "TakeBack" && one.seat === seat ? [one.wager] : []));
  if (!spots.length) return null;
  const sides = game.view.value?.sign.side_bets ?? [];
  return (
    <div class="choices-sides">
      {spots.map((spot) => {
        const side = sides.find((one) => one.spot === spot);
        const stake = game.mine.value?.wagers[spot] ?? 0;
        const back = Math.floor((stake * (side?.withdraw_percent ?? 100)) / 100);
        return (
          <Button key={spot} kind="quiet" disabled={game.busy.value} onClick={() => void game.act({ type: "TakeBack", seat, wager: spot })}>
            {t("choose.side", { bet: side?.title ?? spot, amount: money(back) })}
          </Button>
        );
      })}
    </div>
  );
}

function LookOver({ game }: { game: Game }) {
  const done = (): void => void game.act({ type: "LookOver", seat: game.seat.value });
  useKeys({ enter: !game.busy.value && done });
  return (
    <div class="choices-bar">
      <p class="choices-question">{t("choose.look-over")}</p>
      <Button kind="main" class="big" keyName="Enter" disabled={game.busy.value} onClick={done}>
        {t("choose.looked-over")}
      </Button>
    </div>
  );
}

function Bank({ game }: { game: Game }) {
  const seat = game.seat.value;
  const offer = game.offer("TakeBank");
  const stake = useSignal(typedDollars(offer?.cents ?? 0));
  const take = (): void => void game.act({ type: "TakeBank", seat, cents: centsOf(stake.value) ?? 0 });
  const fee = game.view.value?.sign.fee?.bank_cents ?? 0;
  const decline = (): void => void game.act({ type: "DeclineBank", seat });
  const idle = !game.busy.value;
  useKeys({ d: idle && game.offer("DeclineBank") && decline, k: idle && offer && take });
  return (
    <div class="choices-bar" role="group" aria-label={t("bank.title")}>
      <p class="choices-question">
        {game.view.value?.bank?.sentence ? t("said.no-bank") : ""} {t("bank.question")}
      </p>
      {offer && (
        <label class="bet-amount">
          <span>{t("bank.stake")}</span>
          <input inputMode="decimal" value={stake.value} onInput={(event) => (stake.value = event.currentTarget.value)} />
          {fee > 0 && <small>{t("bank.fee", { fee: money(fee) })}</small>}
        </label>
      )}
      <div class="choices-two">
        {offer && (
          <Button class="big" keyName="K" disabled={game.busy.value} onClick={take}>
            {t("bank.take")}
          </Button>
        )}
        {game.offer("DeclineBank") && (
          <Button kind="main" class="big" keyName="D" disabled={game.busy.value} onClick={decline}>
            {t("bank.decline")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Correct({ game }: { game: Game }) {
  const seat = game.seat.value;
  const amounts = (game.view.value?.offers ?? []).flatMap((one) => (one.type === "Correct" && one.seat === seat ? [one.cents] : []));
  return (
    <div class="choices-bar">
      <p class="choices-question">{t("correct.question")}</p>
      <div class="choices-two">
        {amounts.map((cents) => (
          <Button key={cents} kind="main" class="big" disabled={game.busy.value} onClick={() => void game.act({ type: "Correct", seat, cents })}>
            {t("correct.equal", { amount: money(cents) })}
          </Button>
        ))}
        {game.offer("Fold") && (
          <Button class="big" disabled={game.busy.value} onClick={() => void game.act({ type: "Fold", seat })}>
            {t("correct.fold")}
          </Button>
        )}
        {game.offer("RefuseCorrection") && (
          <Button kind="danger" disabled={game.busy.value} onClick={() => void game.act({ type: "RefuseCorrection", seat })}>
            {t("correct.refuse")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Claim({ game }: { game: Game }) {
  const seat = game.seat.value;
  const claim = (shown: boolean): void => void game.act({ type: "Claim", seat, shown });
  const idle = !game.busy.value;
  useKeys({ s: idle && (() => claim(true)), n: idle && (() => claim(false)) });
  return (
    <div class="choices-bar">
      <p class="choices-question">{t("claim.question")}</p>
      <div class="choices-two">
        {game.offer("Claim", (one) => one.shown === true) && (
          <Button class="big" keyName="S" disabled={game.busy.value} onClick={() => claim(true)}>
            {t("claim.show")}
          </Button>
        )}
        {game.offer("Claim", (one) => one.shown === false) && (
          <Button class="big" keyName="N" disabled={game.busy.value} onClick={() => claim(false)}>
            {t("claim.wave")}
          </Button>
        )}
      </div>
    </div>
  );
}
