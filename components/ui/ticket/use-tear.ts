import { type PointerEvent, type RefObject, useEffect, useRef } from "react";

/** A press that does not move for this long tears the stub off. */
const HOLD_MS = 800;
/** Of the whole way; a release before it lets the stub spring back. */
const OPEN_AT = 0.7;
/** Pixels of the whole way, and up to which a press does not count as moved. */
const WAY = 130;
const SLOP = 8;
const SPRING_MS = 180;

const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The gesture that tears a stub off: dragging it, or holding it still. `onTorn` is called once when it is done; the stub then
 * stays open until `close` lets it spring back. Presses on controls of the stub, and any with reduced motion, are left alone.
 */
export function useTear(stub: RefObject<HTMLElement | null>, onTorn: () => void) {
  const press = useRef<{ id: number; x: number; y: number; dragged: boolean; hold: number } | null>(null);

  /** `progress` from 0, closed, to 1; only the transform moves (tear.css). */
  const open = (progress: number, ms: number, easing = "ease-out") => {
    const style = stub.current?.style;
    style?.setProperty("transition", `transform ${ms}ms ${easing}`);
    style?.setProperty("--torn", String(progress));
  };
  const close = () => open(0, SPRING_MS);

  function end(torn: boolean) {
    if (!press.current) return;
    clearTimeout(press.current.hold);
    press.current = null;
    if (!torn) return close();
    open(1, SPRING_MS);
    onTorn();
  }
  const latestEnd = useRef(end);
  latestEnd.current = end;
  useEffect(() => () => clearTimeout(press.current?.hold), []);

  const way = ({ clientX, clientY, pointerType }: PointerEvent) => {
    const { x, y } = press.current!;
    // A finger that moves up or down scrolls the page.
    return pointerType === "touch" ? Math.abs(clientX - x) : Math.hypot(clientX - x, clientY - y);
  };

  return {
    close,
    handlers: {
      onPointerDown(event: PointerEvent) {
        const isControl = (event.target as Element).closest("button, a, input, summary");
        if (press.current || isControl || event.button !== 0 || reducesMotion()) return;
        stub.current?.setPointerCapture(event.pointerId);
        const hold = window.setTimeout(() => latestEnd.current(true), HOLD_MS);
        press.current = { id: event.pointerId, x: event.clientX, y: event.clientY, dragged: false, hold };
        open(1, HOLD_MS, "linear");
      },
      onPointerMove(event: PointerEvent) {
        if (press.current?.id !== event.pointerId) return;
        const moved = way(event);
        if (!press.current.dragged && moved <= SLOP) return;
        press.current.dragged = true;
        clearTimeout(press.current.hold);
        open(Math.min(1, moved / WAY), 0);
      },
      onPointerUp(event: PointerEvent) {
        if (press.current?.id !== event.pointerId) return;
        end(press.current.dragged && way(event) / WAY >= OPEN_AT);
      },
      onPointerCancel: () => end(false),
      onContextMenu(event: { preventDefault(): void }) {
        if (press.current) event.preventDefault();
      },
    },
  };
}
