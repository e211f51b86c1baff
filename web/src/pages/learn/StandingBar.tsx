// StandingBar: how many kinds of decision a person knows, is learning, and has not seen.
import type { Http } from "../../generated/api";
import { t } from "../../texts";

export function StandingBar({ standing }: { standing: Http.LessonStanding }) {
  const parts = ["known", "learning", "new"] as const;
  return (
    <div class="standing">
      <div class="standing-bar" aria-hidden="true">
        {parts.map((part) => (
          <span key={part} class={`standing-${part}`} style={{ flexGrow: standing[part] }} />
        ))}
      </div>
      <p class="small standing-key">
        {parts.map((part) => (
          <span key={part}>
            <i class={`standing-${part}`} aria-hidden="true" /> {t(`learn.part.${part}`)}
          </span>
        ))}
      </p>
      <p class="small">
        {t("learn.standing", { known: standing.known, learning: standing.learning, new: standing.new, kinds: standing.kinds })}{" "}
        {standing.due > 0 && t("learn.due", { due: standing.due })}
      </p>
    </div>
  );
}
