// Drag: a chip taken along by a finger or a mouse, and where it is let go; what that means is for those who ask.

/** How far a finger moves before it drags: less is a click. */
const SLACK = 8;

/** Follow a pointer that went down on something; `drop` gets the spot it is let go over, or nothing of the kind. */
export function drag(event: PointerEvent, drop: (spot: string | null) => void): void {
  if (event.button !== 0 || !event.isPrimary) return;
  const from = event.currentTarget as HTMLElement;
  const [x, y, id] = [event.clientX, event.clientY, event.pointerId];
  let ghost: HTMLElement | null = null;

  function moved(now: PointerEvent): void {
    if (now.pointerId !== id) return;
    if (!ghost && Math.hypot(now.clientX - x, now.clientY - y) < SLACK) return;
    ghost ??= made(from);
    ghost.style.translate = `${now.clientX}px ${now.clientY}px`;
    now.preventDefault();
  }
  function done(now: PointerEvent): void {
    if (now.pointerId !== id) return;
    for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener);
    if (!ghost) return;
    ghost.remove();
    if (now.type !== "pointerup") return;
    // What follows is the click of a press that was none.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0); // it comes before any other task
    const over = document.elementFromPoint(now.clientX, now.clientY)?.closest<HTMLElement>(".bet-spots [data-spot], .seat.is-mine [data-spot]");
    drop(over?.dataset.spot ?? null);
  }
  const listeners: [string, (now: PointerEvent) => void][] = [
    ["pointermove", moved],
    ["pointerup", done],
    ["pointercancel", done],
  ];
  for (const [name, listener] of listeners) addEventListener(name, listener as EventListener);
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

/** What is dragged: the chip of what was pressed. */
function made(from: HTMLElement): HTMLElement {
  const ghost = document.createElement("span");
  ghost.className = "dragged";
  ghost.setAttribute("aria-hidden", "true");
  const chip = from.querySelector(".chip");
  if (chip) ghost.append(chip.cloneNode(true));
  document.body.append(ghost);
  return ghost;
}
