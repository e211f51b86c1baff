// Table row: one table of the lobby: book, limits, seats, pays, edge, pace.
import type { Http } from "../../generated/api";
import { Button, ButtonLink } from "../../parts/Button";
import { edgesLine } from "../../parts/Edges";
import { beyond, bookWords, tableTitle } from "../../state/titles";
import { hasText, money, t, type Text } from "../../texts";

export interface TableRowProps {
  table: Http.Listed;
  /** The house edge of its bets, once it is known. */
  edges: Http.Edge[] | undefined;
  busy: boolean;
  onPlay: () => void;
  onRules: () => void;
  onInvite?: (() => void) | undefined;
}

export function TableRow({ table, edges, busy, onPlay, onRules, onInvite }: TableRowProps) {
  const [least, most] = table.limits_cents;
  const open = table.state === "open";
  const free = table.seats - table.seated;
  const name = tableTitle(table.name);
  return (
    <li class={table.your_seat ? "table-row is-mine" : "table-row"}>
      <div class="table-row-name">
        <h3>
          <a href={`/table/${table.id}`}>{name}</a>
        </h3>
        <p class="small">
          {[
            beyond(bookWords(table.rulebook, table.rulebook_title), name),
            hasText(`device.${table.device}`) ? t(`device.${table.device}` as Text) : table.device,
            table.bank === "player" && t("lobby.banked"),
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
            {table.seated > 0 && <span class="small">{t("lobby.who", { people: table.seated - table.bots, bots: table.bots })}</span>}
            {table.names.length > 0 && <span class="small table-row-names">{table.names.join(", ")}</span>}
          </dd>
        </div>
        <div class="table-row-pays">
          <dt>{t("lobby.pays")}</dt>
          <dd>
            {table.base_pays}
            {Object.entries(table.meters_cents).map(([bet, cents]) => (
              <strong key={bet} class="table-row-jackpot">
                {t("lobby.jackpot", { bet: table.side_bets[bet] ?? "", cents: money(cents) })}
              </strong>
            ))}
          </dd>
        </div>
        <div class="table-row-edges">
          <dt>{t("lobby.edge")}</dt>
          {edges ? (
            edgesLine(edges).map(([bet, edge]) => (
              <dd key={bet}>
                <span>{bet}</span> <span>{edge}</span>
              </dd>
            ))
          ) : (
            <dd aria-hidden="true">…</dd>
          )}
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
        <Button onClick={onRules} aria-haspopup="dialog" aria-label={t("lobby.rules.of", { name })}>
          {t("table.rules")}
        </Button>
        {onInvite && (
          <Button onClick={onInvite} aria-label={t("private.invite.to", { name })}>
            {t("private.invite")}
          </Button>
        )}
      </div>
    </li>
  );
}
