// Table row: one table of the lobby: book, limits, seats, pays, pace.
import type { Http } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { Button, ButtonLink } from "../../parts/Button";
import { beyond, tableTitle } from "../../state/titles";
import { hasText, money, t, type Text } from "../../texts";

export interface TableRowProps {
  table: Http.Listed;
  book: Http.BookSummary | undefined;
  paytables: Record<string, Http.PaytableData>;
  busy: boolean;
  onPlay: () => void;
  onInvite?: (() => void) | undefined;
}

export function TableRow({ table, book, paytables, busy, onPlay, onInvite }: TableRowProps) {
  const [least, most] = table.limits_cents;
  const open = table.state === "open";
  const free = table.seats - table.seated;
  const base = table.paytables[BASE] ?? "";
  const name = tableTitle(table.name);
  const side = Object.values(table.side_bets);
  return (
    <li class={table.your_seat ? "table-row is-mine" : "table-row"}>
      <div class="table-row-name">
        <h3>
          <a href={`/table/${table.id}`}>{name}</a>
        </h3>
        <p class="small">
          {[
            beyond(book?.title ?? table.rulebook_title, table.name),
            book && (hasText(`device.${book.device}`) ? t(`device.${book.device}` as Text) : book.device),
            book?.bank === "player" && t("lobby.banked"),
            table.private && t("lobby.private"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {table.your_seat && (
          <p class="small table-row-mine">{t("lobby.yours", { seat: table.your_seat, chips: money(table.your_chips_cents) })}</p>
        )}
      </div>
      <dl class="table-row-facts">
        <div>
          <dt>{t("lobby.limits")}</dt>
          <dd>{least != null && most != null ? `${money(least)} – ${money(most)}` : t("lobby.open")}</dd>
        </div>
        <div>
          <dt>{t("lobby.seats")}</dt>
          <dd>
            <span class="seat-dots" aria-hidden="true">
              {Array.from({ length: table.seats }, (_, at) => (
                <i key={at} class={at < table.seated ? "taken" : ""} />
              ))}
            </span>
            <span>{open ? t("lobby.free", { free, seats: table.seats }) : t(`state.${table.state}` as Text)}</span>
          </dd>
        </div>
        <div class="table-row-pays">
          <dt>{t("lobby.pays")}</dt>
          <dd>
            {paysOf(paytables[base]) || table.base_pays || base}
            {side.length > 0 && <span class="small">{side.join(", ")}</span>}
            {Object.entries(table.meters_cents).map(([bet, cents]) => (
              <strong key={bet} class="table-row-jackpot">
                {t("lobby.jackpot", { bet: table.side_bets[bet] ?? "", cents: money(cents) })}
              </strong>
            ))}
          </dd>
        </div>
        <div>
          <dt>{t("lobby.pace")}</dt>
          <dd>{t("lobby.seconds", { seconds: table.choice_seconds })}</dd>
        </div>
      </dl>
      <div class="table-row-ways">
        {table.your_seat ? (
          <Button kind="main" disabled={busy} onClick={onPlay} aria-label={t("lobby.back.at", { name })}>
            {t("lobby.back")}
          </Button>
        ) : open && free > 0 ? (
          <Button kind="main" disabled={busy} onClick={onPlay} aria-label={t("lobby.play.at", { name })}>
            {t("lobby.play")}
          </Button>
        ) : (
          <ButtonLink href={`/table/${table.id}`}>{t("lobby.watch")}</ButtonLink>
        )}
        {onInvite && (
          <Button onClick={onInvite} aria-label={t("private.invite.to", { name })}>
            {t("private.invite")}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The base pays in the trade's short form, the best hand first: 1000-200-50-11-8-5-3-2-1. */
function paysOf(paytable: Http.PaytableData | undefined): string {
  const base = paytable?.wagers.find((one) => one.wager === BASE);
  return base?.pays ? Object.values(base.pays).join("-") : "";
}
