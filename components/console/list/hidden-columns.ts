import { useEffect, useState } from "react";

const storageKey = (name: string) => `console:${name}:hidden`;

function readHidden(name: string): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey(name)) ?? "[]");
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}

export type HiddenColumns = { ids: readonly string[]; toggle: (id: string) => void };

/** The columns that this browser leaves out of a list. */
export function useHiddenColumns(name: string): HiddenColumns {
  const [ids, setIds] = useState<readonly string[]>([]);
  // The stored choice is known in the browser only.
  useEffect(() => setIds(readHidden(name)), [name]);
  const toggle = (id: string) => {
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
    setIds(next);
    try {
      localStorage.setItem(storageKey(name), JSON.stringify(next));
    } catch {
      // Storage may be blocked. The choice then lasts for this page.
    }
  };
  return { ids, toggle };
}
