// Proofs: the decks of this table that are opened: to download, and to check here, in this browser.
import { useSignal } from "@preact/signals";
import { ask, Refused, told } from "../../../net/api";
import { type Proof, problems } from "../../../net/fair";
import { saveJson } from "../../../net/files";
import type { Noted } from "../../../net/table";
import { Button } from "../../../parts/Button";
import { t } from "../../../texts";
import type { Game } from "../game";

const SHUFFLES_MAX = 9;

interface Checked {
  good: boolean;
  words: string;
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
        await fetched({ round: number, shuffle, root: "" });
        found.push({ round: number, shuffle, root: "" });
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
      const found = await problems(proof, one.root || undefined, one.mine);
      const void_ = proof.outcome === "void";
      // A pledge that came too late is none: then the deck was made without one's own part.
      const partIn = proof.reveals.some((told) => told.seat === one.mine?.seat);
      const good = t(partIn ? "proofs.holds.mine" : one.root ? "proofs.holds.seen" : "proofs.holds");
      const words = found.length ? t("proofs.wrong", { what: found.join("; ") }) : void_ ? t("proofs.void", { why: proof.reason ?? "" }) : good;
      checked.value = { ...checked.value, [key]: { good: !found.length, words } };
    } catch (error) {
      checked.value = { ...checked.value, [key]: { good: false, words: told(error) } };
    }
  }

  async function download(one: Noted): Promise<void> {
    let proof: Proof;
    try {
      proof = await fetched(one);
    } catch (error) {
      checked.value = { ...checked.value, [`${one.round}/${one.shuffle}`]: { good: false, words: told(error) } };
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
              {result && (
                <p role="status" class={result.good ? "proof-good" : "form-no"}>
                  {result.good ? "✓ " : "✕ "}
                  {result.words}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
