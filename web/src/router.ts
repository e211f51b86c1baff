// Router: which page is on, and how to get to another without loading anew; it draws nothing.
import { signal } from "@preact/signals";

export const path = signal(location.pathname);

/** Go to an address of the page's own. */
export function go(to: string, how: "push" | "replace" = "push"): void {
  if (to !== location.pathname + location.search) {
    if (how === "push") history.pushState(null, "", to);
    else history.replaceState(null, "", to);
  }
  path.value = location.pathname;
  scrollTo(0, 0);
}

/** Let links to our own pages change the page, and leave all others to the browser. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    path.value = location.pathname;
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (/^\/(api|docs|assets|openapi)/.test(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
