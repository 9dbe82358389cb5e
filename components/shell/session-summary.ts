"use client";

import { useEffect, useSyncExternalStore } from "react";
import { setServerClock } from "@/components/ui/server-clock";
import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out-event";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";
import { routeOf } from "@/lib/platform/routing/routes";

export type SessionSummary = { signedIn: boolean; cartCount: number };

/** Sent on `window` after a write changed the cart; `detail` may be the new count, which saves the call. */
const CART_CHANGED = "passlane:cart-changed";

let summary: SessionSummary | null = null;
/** Whose document this is, "" of a guest; undefined until it is known. */
let person: string | undefined;
let started = false;
const listeners = new Set<() => void>();

function publish(next: SessionSummary): void {
  summary = next;
  for (const listener of listeners) listener();
}

type Heard = { data?: { signed_in?: unknown; user_id?: unknown; cart_count?: unknown } };

async function load(): Promise<void> {
  try {
    const response = await fetch("/api/v1/auth/session-summary", { cache: "no-store" });
    setServerClock(response.headers.get("date"));
    const { data } = (await response.json()) as Heard;
    if (!response.ok || !data) return;
    const signedIn = data.signed_in === true;
    const now = signedIn ? String(data.user_id) : "";
    // Another tab logged somebody else in, or out: what stands here is not theirs, and must not be written to.
    if (person !== undefined && person !== now && isPrivate()) location.reload();
    person = now;
    publish({ signedIn, cartCount: Math.max(0, Number(data.cart_count) || 0) });
  } catch {
    // The page stays as it was served: the account link works for guests and members alike.
  }
}

const isPrivate = () => routeOf(parsePath(location.pathname).path)?.access === "login";

function start(): void {
  if (started) return;
  started = true;
  void load();
  window.addEventListener(CART_CHANGED, (event) => {
    const count = (event as CustomEvent<unknown>).detail;
    if (typeof count === "number" && summary) publish({ ...summary, cartCount: Math.max(0, count) });
    else void load();
  });
  window.addEventListener(SIGNED_OUT_EVENT, (event) => {
    publish({ signedIn: false, cartCount: 0 });
    // "404" from /auth/*: the account is gone, so whoever looks at this page has to log in anew (docs/product.md#41-session); and nobody
    // can do anything on a page of theirs whose session is over.
    if ((event as CustomEvent<{ code: string }>).detail.code === "404" || isPrivate()) openLogin();
  });
  // A page that comes back from the browser's own cache, or to which one comes back from another tab, may be out of date.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) void load();
  });
  window.addEventListener("focus", () => void load());
}

function openLogin(): void {
  const { pathname, search } = window.location;
  const back = encodeURIComponent(pathname + search);
  window.location.assign(`${localizedPath("/login", parsePath(pathname))}?redirect=${back}`);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Who is here and how full the cart is; null until known and while the page is being served. However many
 * parts ask, one call is made per page load, and one per announced change.
 */
export function useSessionSummary(): SessionSummary | null {
  useEffect(start, []);
  return useSyncExternalStore(
    subscribe,
    () => summary,
    () => null,
  );
}

/** Call after the cart changed; with the new count where the answer told it. */
export function announceCartChange(cartCount?: number): void {
  window.dispatchEvent(new CustomEvent(CART_CHANGED, { detail: cartCount }));
}
