// Staff: the page at /staff.
import type { PageProps } from "..";
import { t } from "../../texts";

export default function Staff(_: PageProps) {
  return (
    <div class="page">
      <h1>{t("staff.title")}</h1>
    </div>
  );
}
