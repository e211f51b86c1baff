// Player: all that a player on the way to a table loads, in one piece; pages that are loaded later build on it.
// Each piece is asked for on its own, and on a slow line that costs more than its bytes: build.mjs keeps this one whole.
import "./pages";
import "./parts/Head";
import "./parts/Toast";
import "./parts/Update";
import "./router";
import "./state/session";
import "./texts/language";
