// Learn: the page at /learn.
import type { PageProps } from "..";
import { t } from "../../texts";

export default function Learn(_: PageProps) {
  return (
    <div class="page">
      <h1>{t("learn.title")}</h1>
    </div>
  );
}
