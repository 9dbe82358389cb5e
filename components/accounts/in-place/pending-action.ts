"use client";

import { useEffect, useRef } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import type { SignInRequest } from "./ask-sign-in";

const STORAGE_KEY = "passlane:after-sign-in";
/** Older actions are dropped, so that a page opened later does nothing by itself. */
const MAX_AGE_MS = 15 * 60_000;

/** Stores what to do after a sign-in that leaves the page. It stays in this tab, so an external link cannot trigger it. */
export function leaveForSignIn({ action }: SignInRequest): void {
  if (!action) return;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ action, at: Date.now() }));
  } catch {
    // Storage may be blocked. The user then presses the button again after the sign-in.
  }
}

/** Returns once whether this action was requested before the sign-in. */
function takePendingAction(action: string): boolean {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as {
      action?: string;
      at?: number;
    };
    if (stored.action !== action) return false;
    sessionStorage.removeItem(STORAGE_KEY);
    return Date.now() - (stored.at ?? 0) < MAX_AGE_MS;
  } catch {
    return false;
  }
}

/** Runs the action once when the reader returns signed in from the sign-in that it caused. */
export function usePendingAction(actions: readonly string[], run: (action: string) => void): void {
  const signedIn = useSessionSummary()?.signedIn === true;
  const latest = useRef({ actions, run });
  latest.current = { actions, run };
  useEffect(() => {
    if (!signedIn) return;
    const action = latest.current.actions.find(takePendingAction);
    if (action) latest.current.run(action);
  }, [signedIn]);
}
