import { CARRIED_PARAMS } from "@/lib/navigation";

/** Where a visit came from, kept in the browser for 7 days (spec §4 "Source tracking"). Nothing of it is in a cookie. */
const STORE_KEY = "source_from_url";
const KEPT_MS = 604_800_000;
/** Of the stored values only these return to the query on navigation (spec "Navigation rules"). */
const STORED_PARAMS = ["source", "campaign", "medium", "content"] as const;

type StoredSource = { [name in (typeof CARRIED_PARAMS)[number]]?: string } & {
  timestamp: number;
  landingPage: string;
  referrer: string;
};

/** Stores the source parameters of the address in the browser's bar, if it has any. */
export function captureSource(): void {
  const query = new URLSearchParams(location.search);
  const found: StoredSource = {
    timestamp: Date.now(),
    landingPage: location.pathname,
    referrer: document.referrer,
  };
  let any = false;
  for (const name of CARRIED_PARAMS) {
    const value = query.get(name);
    if (!value) continue;
    found[name] = value.slice(0, 200);
    any = true;
  }
  if (any) attempt(() => localStorage.setItem(STORE_KEY, JSON.stringify(found)));
}

/** The address with what links carry: all seven parameters of the present address, four of the stored ones. */
export function withCarried(address: string): string {
  const here = new URLSearchParams(location.search);
  const stored = storedSource();
  const [before = "", hash] = address.split("#", 2);
  const [path = "", search] = before.split("?", 2);
  const query = new URLSearchParams(search);
  for (const name of CARRIED_PARAMS) {
    const value =
      here.get(name) ?? (STORED_PARAMS.some((kept) => kept === name) ? stored?.[name] : undefined);
    if (value && !query.has(name)) query.set(name, value);
  }
  return `${path}${query.size > 0 ? `?${query}` : ""}${hash === undefined ? "" : `#${hash}`}`;
}

/** What is stored and not yet over. */
export function storedSource(): StoredSource | undefined {
  return attempt(() => {
    const source = JSON.parse(localStorage.getItem(STORE_KEY) ?? "null") as StoredSource | null;
    if (source && Date.now() - source.timestamp < KEPT_MS) return source;
    localStorage.removeItem(STORE_KEY);
    return undefined;
  });
}

/** Storage may be refused or hold anything; neither may stop a link. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
