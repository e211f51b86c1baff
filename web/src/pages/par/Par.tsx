// Par: the page at /par.
import type { PageProps } from "..";
import { t } from "../../texts";

export default function Par(_: PageProps) {
  return (
    <div class="page">
      <h1>{t("par.title")}</h1>
    </div>
  );
}
