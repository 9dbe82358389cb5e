"use client";

import { useEffect } from "react";
import { addRecentSearch } from "./search-history";

/**
 * Tells that a search was shown: to this browser's list of recent ones, if it found anything, and by the event
 * `passlane:searched`, whose detail is `{ q }`. Whoever comes too late for the event reads `data-searched`.
 */
export function RecordSearch({ q, remember }: { q: string; remember: boolean }) {
  useEffect(() => {
    if (remember) addRecentSearch(q);
  }, [q, remember]);
  useEffect(() => {
    dispatchEvent(new CustomEvent("passlane:searched", { detail: { q } }));
  }, [q]);
  return <span hidden data-searched={q} />;
}
