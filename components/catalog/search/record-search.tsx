"use client";

import { useEffect } from "react";
import { addRecentSearch } from "./search-history";

/**
 * Records a shown search: in this browser's recent searches, if it had results, and with the event
 * `passlane:searched`, whose detail is `{ q }`. Listeners registered after the event read `data-searched`.
 */
export function RecordSearch({ q, addToHistory }: { q: string; addToHistory: boolean }) {
  useEffect(() => {
    if (addToHistory) addRecentSearch(q);
  }, [q, addToHistory]);
  useEffect(() => {
    dispatchEvent(new CustomEvent("passlane:searched", { detail: { q } }));
  }, [q]);
  return <span hidden data-searched={q} />;
}
