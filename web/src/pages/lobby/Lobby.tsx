// Lobby: the tables of the house.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";

export default function Lobby(_: PageProps) {
  const tables = useSignal<Http.Listed[]>([]);
  useEffect(() => void ask("GET /api/tables").then((found) => (tables.value = found)), []);
  return (
    <div class="page">
      <h1>Let It Ride</h1>
      <ul>
        {tables.value.map((one) => (
          <li key={one.id}>
            <a href={`/table/${one.id}`}>{one.name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
