"use client";

import { useEffect, useSyncExternalStore } from "react";
import { setServerClock } from "@/components/ui/server-clock";
import { beacon, readCall } from "@/lib/platform/api/light-client";
import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";
import { findRoute } from "@/lib/platform/routing/routes";

export type SessionSummary = { signedIn: boolean; cartCount: number };

/** Dispatched on `window` after a write changed the cart. A count in `detail` avoids a request. */
const CART_CHANGED = "passlane:cart-changed";

let summary: SessionSummary | null = null;
/** The user ID of this document: "" for a guest, undefined until it is known. */
let userId: string | undefined;
let started = false;
const listeners = new Set<() => void>();

function publish(next: SessionSummary): void {
  summary = next;
  for (const listener of listeners) listener();
}

async function load(): Promise<void> {
  try {
    const { data, date } = await readCall("/auth/session-summary");
    setServerClock(date);
    if (!data) return;
    const signedIn = data.signed_in === true;
    const currentUserId = signedIn ? String(data.user_id) : "";
    // Another tab changed the session. A page that asks for the login in place does so after a logout; any other private
    // page of the previous user is reloaded so that it is neither shown nor written to.
    if (userId !== undefined && userId !== currentUserId && isPrivate()) {
      if (!signedIn && onSessionEnd) {
        publish({ signedIn: false, cartCount: 0 });
        return onSessionEnd();
      }
      location.reload();
    }
    userId = currentUserId;
    if (signedIn) markReturning();
    publish({ signedIn, cartCount: Math.max(0, Number(data.cart_count) || 0) });
  } catch {
    // On failure the page stays as served. The account link works for guests and users.
  }
}

const isPrivate = () => {
  const access = findRoute(parsePath(location.pathname).path)?.access;
  return access === "login" || access === "console";
};

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
    // Code "404" from /auth/* means that the account no longer exists: the cookie is removed and the user has to log in
    // again (docs/product.md#41-session). A private page whose session has ended opens the login too, or handles it itself.
    if ((event as CustomEvent<{ code: string }>).detail.code === "404")
      void beacon("/auth/logout", {}).then(openLogin);
    else if (onSessionEnd) onSessionEnd();
    else if (isPrivate()) openLogin();
  });
  // A page restored from the back/forward cache or shown again after a tab switch may be out of date.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) void load();
  });
  window.addEventListener("focus", () => void load());
}

let onSessionEnd: (() => void) | undefined;

/** Lets a page ask for the login in place when its session ends; returns a function that removes the handler. */
export function handleSessionEnd(handler: () => void): () => void {
  onSessionEnd = handler;
  return () => {
    if (onSessionEnd === handler) onSessionEnd = undefined;
  };
}

/** Local storage: this browser had a session before, so the form in place starts with "Sign in". */
export const RETURNING_KEY = "returning";

function markReturning(): void {
  try {
    localStorage.setItem(RETURNING_KEY, "1");
  } catch {
    // Storage may be blocked. The form then starts with the registration.
  }
}

function openLogin(): void {
  const { pathname, search } = window.location;
  const returnPath = encodeURIComponent(pathname + search);
  window.location.assign(`${localizedPath("/login", parsePath(pathname))}?redirect=${returnPath}`);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session and cart count, null until loaded. All components share one request per page load and change. */
export function useSessionSummary(): SessionSummary | null {
  useEffect(start, []);
  return useSyncExternalStore(
    subscribe,
    () => summary,
    () => null,
  );
}

/** Announces a changed cart, with the new count when the response contained it. */
export function announceCartChange(cartCount?: number): void {
  window.dispatchEvent(new CustomEvent(CART_CHANGED, { detail: cartCount }));
}
