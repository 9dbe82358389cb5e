import { parsePath } from "@/lib/platform/routing/paths";

/** A page that is on its way, at the same place as the present one (`here`) or another. */
export type AwaitedPage = { path: string; here: boolean; document: boolean };

type Host = (page: AwaitedPage, navigate: () => void) => void;

const PRESSABLE = "a, button, summary, select, input, label";
/** The time within which a navigation is the answer to a press. */
const ANSWER_MS = 1000;

let host: Host = (_, navigate) => navigate();
let lastPress: { element: Element; at: number } | undefined;
let marked: Element | undefined;

/** `components/shell/awaited-page.tsx` shows what is on its way; without it a page is only opened. */
export function setPressHost(next: Host): void {
  host = next;
  for (const event of ["click", "change", "submit"]) addEventListener(event, rememberPress, true);
}

function rememberPress({ target }: Event): void {
  const element = target instanceof Element ? (target.closest(PRESSABLE) ?? document.activeElement) : null;
  if (element) lastPress = { element, at: performance.now() };
}

/** Opens a page with `navigate`, marks what was pressed (`data-pressed`), and lets the host show a skeleton. */
export function openPage(path: string, navigate: () => void, { document = false } = {}): void {
  unmarkPress();
  if (lastPress && performance.now() - lastPress.at < ANSWER_MS) {
    marked = lastPress.element;
    marked.setAttribute("data-pressed", "");
  }
  host({ path, here: parsePath(location.pathname).path === path, document }, navigate);
}

/** The awaited page is there, or does not come. */
export function unmarkPress(): void {
  marked?.removeAttribute("data-pressed");
  marked = undefined;
}
