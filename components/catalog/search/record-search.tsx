"use client";

import { useEffect } from "react";
import { addRecentSearch } from "./search-history";

/**
 * Records a shown search: in this browser's recent searches, if it had results, and with the event
 * `passlane:searched`, whose detail is `{ q }`. Listeners registered after the event read `data-searched`.
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
