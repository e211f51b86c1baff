// About: the bet whose spot was pressed or reached last, so that the rail can say what its mark stands for; it bets nothing.
import { signal } from "@preact/signals";

/** The name of the spot; empty where nothing is asked. */
export const asked = signal("");
