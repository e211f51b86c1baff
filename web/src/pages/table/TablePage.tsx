// Table page: one table.
import { useEffect, useMemo } from "preact/hooks";
import type { PageProps } from "..";
import { connect } from "../../net/table";
import { somebody } from "../../state/session";

export default function TablePage({ params }: PageProps) {
  const id = params.id ?? "";
  const table = useMemo(() => connect(id), [id]);
  useEffect(() => () => table.leave(), [table]);
  useEffect(() => void somebody(), []);
  return <div class="page">{table.view.value?.phase}</div>;
}
