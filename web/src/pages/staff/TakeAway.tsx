// Take away: the files of a round that is walked through: its record, the proofs of its decks, its rows as they were read.
import { useSignal } from "@preact/signals";
import { fetchFile, told } from "../../net/api";
import { save, saveJson } from "../../net/files";
import { Button } from "../../parts/Button";
import { t } from "../../texts";
import type { Deck, Row } from "./journal";
import { No } from "./parts";

interface Props {
  id: string;
  round: number;
  rows: Row[];
  decks: Deck[];
}

export function TakeAway({ id, round, rows, decks }: Props) {
  const refused = useSignal("");
  const busy = useSignal(false);
  async function record(): Promise<void> {
    refused.value = "";
    busy.value = true;
    try {
      const path = { table_id: id, number: round };
      save(`record-${id}-${round}.txt`, await fetchFile("GET /api/tables/{table_id}/rounds/{number}/record", { path }));
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  return (
    <section class="staff-files" aria-label={t("staff.files")}>
      <h2>{t("staff.files")}</h2>
      <div class="staff-actions">
        <Button disabled={busy.value} onClick={() => void record()}>
          {t("staff.files.record")}
        </Button>
        {decks.map((one) => (
          <Button key={one.shuffle} onClick={() => saveJson(`proof-${id}-${round}-${one.shuffle}.json`, one.proof)}>
            {decks.length > 1 ? t("staff.files.proof.of", { shuffle: one.shuffle }) : t("staff.files.proof")}
          </Button>
        ))}
        <Button onClick={() => saveJson(`rows-${id}-${round}.json`, rows)}>{t("staff.files.rows")}</Button>
      </div>
      <p class="small">{t("staff.files.how")}</p>
      <No>{refused.value}</No>
    </section>
  );
}
