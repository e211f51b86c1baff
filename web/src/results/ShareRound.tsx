// Share round: makes a link to a round of the person's own, when they want one, and withdraws it again.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { Button } from "../parts/Button";
import { say } from "../parts/Toast";
import { t } from "../texts";

export function ShareRound({ round }: { round: Http.OwnRound }) {
  const link = useSignal<Http.RoundLinkShown | null>(null);
  const named = useSignal(false);
  const busy = useSignal(false);
  useEffect(() => {
    ask("GET /api/me/links").then(
      (all) => {
        const found = all.find((one) => one.table === round.table && one.round === round.round && one.seat === round.seat);
        link.value = found ?? null;
        named.value = found?.name ?? false;
      },
      () => undefined, // it can be made all the same
    );
  }, [round]);

  async function act(what: () => Promise<void>): Promise<void> {
    busy.value = true;
    try {
      await what();
    } catch (error) {
      say(told(error), "trouble");
    } finally {
      busy.value = false;
    }
  }
  const make = (): Promise<void> =>
    act(async () => {
      link.value = await ask("POST /api/me/links", { body: { table: round.table, round: round.round, seat: round.seat, name: named.value } });
    });
  const withdraw = (): Promise<void> =>
    act(async () => {
      await ask("DELETE /api/me/links/{token}", { path: { token: link.value!.token } });
      link.value = null;
      say(t("share.withdrawn"));
    });
  const address = link.value ? `${location.origin}${link.value.address}` : "";
  const copy = (): Promise<void> => act(() => navigator.clipboard.writeText(address).then(() => say(t("share.copied"))));
  return (
    <section class="share" aria-label={t("share.title")}>
      <h3>{t("share.title")}</h3>
      <p class="small">{t("share.how")}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={named.value}
          onChange={(event) => {
            named.value = event.currentTarget.checked;
            if (link.value) void make();
          }}
        />
        {t("share.name")}
      </label>
      {link.value ? (
        <>
          <label class="share-link">
            {t("share.link")}
            <input readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="side-by-side">
            <Button kind="main" onClick={() => void copy()}>
              {t("share.copy")}
            </Button>
            <a class="button button-plain" href={link.value.address} target="_blank" rel="noopener">
              <span>{t("share.open")}</span>
            </a>
            <Button kind="danger" disabled={busy.value} onClick={() => void withdraw()}>
              {t("share.withdraw")}
            </Button>
          </div>
        </>
      ) : (
        <Button disabled={busy.value} onClick={() => void make()}>
          {t("share.make")}
        </Button>
      )}
    </section>
  );
}
