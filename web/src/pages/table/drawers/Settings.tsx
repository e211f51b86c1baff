// Settings: a player's settings at a table: pace, sound, what is decided when their time is over, and autoplay.
import { useSignal } from "@preact/signals";
import { ask, told } from "../../../net/api";
import type { Http } from "../../../generated/api";
import { Button } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { sound } from "../../../sound/synth";
import { me } from "../../../state/session";
import { buzz, loudness, pace, volume } from "../../../state/settings";
import { AMOUNT, centsOf, money, signed, t, type Text, typedDollars } from "../../../texts";
import { BIG, type Plan } from "../autoplay";
import type { Autopilot } from "../autopilot";
import type { Game } from "../game";
import { sumOf } from "../sums";

type Absent = Http.Me["when_absent"];

function Radios<T extends string>({ name, legend, now, ways, onPick }: { name: string; legend: string; now: T; ways: [T, string][]; onPick: (one: T) => void }) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {ways.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={name} checked={now === one} onChange={() => onPick(one)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

export default function Settings({ game, auto, onClose }: { game: Game; auto: Autopilot; onClose: () => void }) {
  return (
    <>
      <Pace game={game} />
      <Sound />
      <WhenAbsent game={game} />
      <Autoplay game={game} auto={auto} onClose={onClose} />
    </>
  );
}

function Pace({ game }: { game: Game }) {
  const now = game.line.standing.value?.pace ?? "normal";
  return (
    <section class="drawer-part">
      <Radios
        name="pace"
        legend={t("pace.title")}
        now={pace.value}
        ways={[
          ["normal", t("pace.normal")],
          ["fast", t("pace.fast")],
          ["turbo", t("pace.turbo")],
        ]}
        onPick={(one) => (pace.value = one)}
      />
      <p class="small">{t(pace.value !== "normal" && now === "normal" ? "pace.company" : "pace.alone")}</p>
    </section>
  );
}

function Sound() {
  return (
    <section class="drawer-part">
      <label class="form">
        {t("sound.volume")}
        <input
          type="range"
          min="0"
          max="100"
          step="10"
          value={loudness.value}
          aria-valuetext={loudness.value ? `${loudness.value}%` : t("sound.off")}
          onInput={(event) => (volume.value = Number(event.currentTarget.value))}
          onChange={() => sound("chips")}
        />
      </label>
      {"vibrate" in navigator && (
        <label class="check">
          <input type="checkbox" checked={buzz.value} onChange={(event) => (buzz.value = event.currentTarget.checked)} />
          {t("sound.buzz")}
        </label>
      )}
    </section>
  );
}

function WhenAbsent({ game }: { game: Game }) {
  const view = game.view.value!;
  const byTable: Text = view.absent === "withdraw" ? "absent.table.withdraw" : "absent.table.ride";
  if (!view.absent_open) return <p class="drawer-part small">{t("absent.fixed", { what: t(byTable) })}</p>;
  async function choose(one: Absent): Promise<void> {
    try {
      await ask("PUT /api/me/settings", { body: { when_absent: one } });
      if (me.value) me.value = { ...me.value, when_absent: one };
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  const ways: [Absent, string][] = [
    ["", t("absent.table", { what: t(byTable) })],
    ["withdraw", t("absent.withdraw")],
  ];
  if (view.coach) ways.push(["coach", t("absent.coach")]);
  const now = me.value?.when_absent ?? "";
  return (
    <section class="drawer-part">
      <Radios name="absent" legend={t("absent.title")} now={now === "coach" && !view.coach ? "withdraw" : now} ways={ways} onPick={(one) => void choose(one)} />
      <p class="small">{t("absent.about")}</p>
    </section>
  );
}

function Autoplay({ game, auto, onClose }: { game: Game; auto: Autopilot; onClose: () => void }) {
  const rounds = useSignal("10");
  const loss = useSignal("");
  const win = useSignal("");
  const big = useSignal(true);
  const view = game.view.value!;
  const bet = game.lastAt(game.seat.value);
  const why: Text | "" = !view.coach ? "auto.forbidden" : game.own.value.length > 1 ? "auto.hands" : !bet ? "auto.no-bet" : "";
  const ended = auto.stopped.value;
  function start(event: SubmitEvent): void {
    event.preventDefault();
    const plan: Plan = {
      rounds: Math.max(1, Math.min(500, Number.parseInt(rounds.value, 10) || 1)),
      loss_cents: centsOf(loss.value) ?? 0,
      win_cents: centsOf(win.value) ?? 0,
      big: big.value ? BIG : 0,
    };
    auto.start(plan);
    onClose();
  }
  return (
    <section class="drawer-part">
      <h3>{t("auto.title")}</h3>
      {ended && <p role="status">{t("auto.ended", { why: t(`auto.why.${ended.why}` as Text), played: ended.run.played, net: signed(ended.run.net_cents) })}</p>}
      {why ? (
        <p class="small">{t(why)}</p>
      ) : (
        <form class="form" onSubmit={start}>
          <p class="small">{t("auto.about", { amount: money(sumOf(bet!)) })}</p>
          <label>
            {t("auto.rounds")}
            <input type="number" min="1" max="500" required value={rounds.value} onInput={(event) => (rounds.value = event.currentTarget.value)} />
          </label>
          <label>
            {t("auto.loss")}
            <input inputMode="decimal" pattern={AMOUNT} placeholder={typedDollars(10_000)} value={loss.value} onInput={(event) => (loss.value = event.currentTarget.value)} />
          </label>
          <label>
            {t("auto.win")}
            <input inputMode="decimal" pattern={AMOUNT} placeholder={typedDollars(20_000)} value={win.value} onInput={(event) => (win.value = event.currentTarget.value)} />
          </label>
          <label class="check">
            <input type="checkbox" checked={big.value} onChange={(event) => (big.value = event.currentTarget.checked)} />
            {t("auto.big", { times: BIG })}
          </label>
          <Button kind="main" type="submit">
            {t("auto.start")}
          </Button>
        </form>
      )}
    </section>
  );
}
