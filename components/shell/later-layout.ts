import { whenIdle } from "@/components/ui/when-idle";

/** What `lazy-layout` of globals.css is applied to. */
const LATER = ".lazy-layout, .lazy-layout-flush, .lazy-parts > *, .tickets > li";

/** Lays out the rest of the first page, a piece at each pause, so that every place and height is soon what it will be. */
export function layOutInPauses(): void {
  const pieces = [...document.querySelectorAll<HTMLElement>(LATER)];
  const next = () => {
    const piece = pieces.shift();
    if (!piece) return layOutAll();
    piece.style.contentVisibility = "visible";
    whenIdle(next);
  };
  next();
}

/** From here on nothing in this document is laid out later. */
export function layOutAll(): void {
  document.documentElement.dataset.laidOut = "";
}
