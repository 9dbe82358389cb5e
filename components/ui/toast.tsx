"use client";

import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "@/components/ui/icon";
import { whenIdle } from "@/components/ui/when-idle";

export type ToastKind = keyof typeof LOOKS;
/** A follow-up action. A toast disappears soon, so the action must also be available elsewhere. */
export type ToastAction = { text: string; run: () => void; undoes?: boolean };
type Toast = { id: number; text: string; kind: ToastKind; action?: ToastAction };

/** How long a toast is shown, in milliseconds (docs/product.md#10-constants). */
const TOAST_MS = 3000;
/** A toast with an undo action is shown longer, so that the user can read it and reach the button. */
const UNDO_MS = 8000;
const LOOKS = {
  good: { icon: "check", tone: "text-good-on-ink" },
  bad: { icon: "warn", tone: "text-bad-on-ink" },
  plain: { icon: "info", tone: "text-quiet-on-ink" },
} as const;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const NONE: readonly Toast[] = [];

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a sentence, at most three at a time, without duplicates. */
export function showToast(text: string, kind: ToastKind = "plain", action?: ToastAction): void {
  lastId += 1;
  const toast = { id: lastId, text, kind, action };
  publish([...toasts.filter((t) => t.text !== text).slice(-2), toast]);
  setTimeout(() => dismiss(toast.id), action?.undoes ? UNDO_MS : TOAST_MS);
}

const dismiss = (id: number) => publish(toasts.filter((t) => t.id !== id));

/** Removes the shown toasts when a later event contradicts them. */
export const clearToasts = (): void => publish(NONE);

const STORAGE_KEY = "passlane:toast";

/** Stores a toast for the next document of this tab, for code that is about to leave the page. */
export function showToastAfterNavigation(text: string, kind: ToastKind = "plain"): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ text, kind }));
  } catch {
    // Storage may be blocked. The toast is optional.
  }
}

function showStoredToast(): void {
  try {
    const { text, kind } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Toast>;
    sessionStorage.removeItem(STORAGE_KEY);
    if (text) showToast(text, kind);
  } catch {
    // Storage may be blocked. The toast is optional.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The container of the toasts, rendered once in the layout. */
export function ToastHost() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
  // The first storage access blocks on another browser process, so it is deferred until after hydration.
  useEffect(() => whenIdle(showStoredToast), []);
  return (
    <div
      role="status"
      aria-live="polite"
      className="toasts pointer-events-none fixed inset-x-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map((toast) => (
        <p
          key={toast.id}
          className="toast flex max-w-lg items-start gap-2.5 rounded-control bg-ink px-4 py-3 font-medium text-paper"
        >
          <Icon name={LOOKS[toast.kind].icon} className={`mt-0.5 ${LOOKS[toast.kind].tone}`} />
          {toast.text}
          {toast.action && (
            <button
              type="button"
              onClick={() => {
                dismiss(toast.id);
                toast.action?.run();
              }}
              className="pointer-events-auto -my-3 ml-2 min-h-11 cursor-pointer whitespace-nowrap underline underline-offset-4"
            >
              {toast.action.text}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
