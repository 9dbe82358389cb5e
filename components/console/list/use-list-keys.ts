import { useEffect, useRef } from "react";

/** Whether a key belongs to a field. The box of a row takes no letters. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  target.closest(
    "input:not([type=checkbox]), select, textarea, dialog, [contenteditable], [role=menu], [popover]",
  ) !== null;

/** How long after `g` a letter still belongs to it. */
const CHORD_MS = 1_500;

/**
 * The keys of a list, by their names (`j`, `enter`, `?`); `g` before a letter is written `g o`. They do nothing in fields, menus
 * and dialogs.
 */
export function useListKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  const chordAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const isChord = Date.now() - chordAt.current < CHORD_MS;
      chordAt.current = event.key === "g" && !isChord ? Date.now() : 0;
      const key = event.key.length > 1 ? event.key.toLowerCase() : event.key;
      const name = isChord ? `g ${key}` : key;
      const action = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined;
      const onControl = event.target instanceof HTMLElement && event.target.closest("a, button, summary");
      if (!action || (event.key === "Enter" && onControl)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
