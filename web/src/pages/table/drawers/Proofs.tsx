// Proofs: the decks of this table that are opened: to download, and to check here, in this browser.
import { useSignal } from "@preact/signals";
import { ask, Refused, told } from "../../../net/api";
import { type Proof, problems } from "../../../net/fair";
import { saveJson } from "../../../net/files";
import { blank, type Noted } from "../../../net/shares";
import { Button } from "../../../parts/Button";
import { t } from "../../../texts";
import { proofFaults, voidReason } from "../../../texts/kept";
import type { Game } from "../game";

const SHUFFLES_MAX = 9;

interface Checked {
  good: boolean;
  words: string;
  facts: [string, string][];
}

/** What this page saw the house do with its part that it should not have done. */
function doubtsOf(one: Noted): string[] {
  const { mine, doubts } = one;
  const late = !mine?.acknowledged.includes("pledge");
  const said = doubts.map((what) => t(what === "left_out" && late ? "proofs.doubt.late" : `proofs.doubt.${what}`));
  const silent = (["pledge", "link", "nonce"] as const).filter((step) => mine?.sent.includes(step) && !mine.acknowledged.includes(step));
  return [...said, ...silent.map((step) => t(`proofs.unacknowledged.${step}`))];
}

const seatsOf = (shares: { seat: number }[]): string => shares.map((one) => one.seat).join(", ");

function factsOf(proof: Proof): [string, string][] {
  const { cuts } = proof.commitment;
  const dice = (proof.throws ?? []).map((thrown) => thrown.join(" ")).join("; ");
  const by = seatsOf(proof.links ?? []);
  return [
    [t("proofs.cuts"), !cuts ? t("proofs.cuts.old") : cuts.length ? t("proofs.cuts.cards", { cards: cuts.join(", ") }) : t("proofs.nothing")],
    ...(dice ? [[t("proofs.dice"), t(by ? "proofs.dice.by" : "proofs.dice.house", { dice, seats: by })] as [string, string]] : []),
    [t("proofs.revealed"), seatsOf(proof.reveals) || t("proofs.nothing")],
    [t("proofs.unrevealed"), proof.unrevealed.join(", ") || t("proofs.nothing")],
  ];
}

export default function Proofs({ game }: { game: Game }) {
  const checked = useSignal<Record<string, Checked>>({});
  const round = useSignal("");
  const older = useSignal<Noted[]>([]);
  const missing = useSignal("");
  const known = game.line.proofs.value;
  const all = [...known, ...older.value.filter((one) => !known.some((other) => other.round === one.round && other.shuffle === one.shuffle))];

  const fetched = (one: Noted): Promise<Proof> =>
    ask("GET /api/tables/{table_id}/proofs/{round_number}/{shuffle}", {
      path: { table_id: game.line.id, round_number: one.round, shuffle: one.shuffle },
    }) as Promise<unknown> as Promise<Proof>;

  /** Look for the decks of a round; one that was given up and mixed anew has several. */
  async function find(number: number): Promise<void> {
    missing.value = "";
    const found: Noted[] = [];
    try {
      for (let shuffle = 1; shuffle <= SHUFFLES_MAX; shuffle++) {
        const one = blank(number, shuffle);
        await fetched(one);
        found.push(one);
      }
    } catch (error) {
      const none = error instanceof Refused && [404, 422].includes(error.status);
      if (!found.length) missing.value = none ? t("proofs.missing", { round: number }) : told(error);
    }
    older.value = [...found, ...older.value.filter((one) => one.round !== number)];
  }

  async function check(one: Noted): Promise<void> {
    const key = `${one.round}/${one.shuffle}`;
    try {
      const proof = await fetched(one);
      const found = await problems(proof, { ...one, table: game.line.id });
      // A pledge that came too late is none: then the deck was made without the player's own part.
      const partIn = proof.reveals.some((told) => told.seat === one.mine?.seat);
      const good = t(partIn ? "proofs.holds.mine" : one.root ? "proofs.holds.seen" : "proofs.holds");
      const given_up = t(proof.cards.length ? "proofs.void" : "proofs.void.lost", { why: voidReason(proof) });
      const words = found.length ? t("proofs.wrong", { what: proofFaults(found) }) : proof.outcome === "void" ? given_up : good;
      checked.value = { ...checked.value, [key]: { good: !found.length, words, facts: factsOf(proof) } };
    } catch (error) {
      checked.value = { ...checked.value, [key]: { good: false, words: told(error), facts: [] } };
    }
  }

  async function download(one: Noted): Promise<void> {
    let proof: Proof;
    try {
      proof = await fetched(one);
    } catch (error) {
      checked.value = { ...checked.value, [`${one.round}/${one.shuffle}`]: { good: false, words: told(error), facts: [] } };
      return;
    }
    saveJson(`proof-${game.line.id}-${one.round}-${one.shuffle}.json`, proof);
  }

  return (
    <>
      <p>{t("proofs.how")}</p>
      <form
        class="form-line"
        onSubmit={(event) => {
          event.preventDefault();
          const number = Number(round.value);
          if (number > 0) void find(number);
        }}
      >
        <label>
          {t("proofs.round")}
          <input inputMode="numeric" pattern="[0-9]+" maxLength={9} required value={round.value} onInput={(event) => (round.value = event.currentTarget.value)} />
        </label>
        <Button type="submit">{t("proofs.find")}</Button>
      </form>
      {missing.value && (
        <p class="form-no" role="alert">
          {missing.value}
        </p>
      )}
      {all.length === 0 && <p>{t("proofs.none")}</p>}
      <ul class="proof-list">
        {all.map((one) => {
          const key = `${one.round}/${one.shuffle}`;
          const result = checked.value[key];
          return (
            <li key={key}>
              <p>
                <b>{t("proofs.of", { round: one.round, shuffle: one.shuffle })}</b>
                {one.root && <code class="small">{one.root.slice(0, 16)}…</code>}
              </p>
              <div class="proof-ways">
                <Button onClick={() => void check(one)}>{t("proofs.check")}</Button>
                <Button onClick={() => void download(one)}>{t("proofs.download")}</Button>
              </div>
              {doubtsOf(one).map((doubt) => (
                <p key={doubt} role="note" class="form-no">
                  {doubt}
                </p>
              ))}
              {result && (
                <p role="status" class={result.good ? "proof-good" : "form-no"}>
                  {result.good ? "✓ " : "✕ "}
                  {result.words}
                </p>
              )}
              {result && result.facts.length > 0 && (
                <dl class="proof-facts">
                  {result.facts.map(([label, fact]) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>{fact}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
