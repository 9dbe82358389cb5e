import { POLLING_INTERVAL_MS } from "@/lib/platform/polling";

/** The browser's translation cache (docs/product.md#33-what-the-browser-keeps): 7 days each, bounded. */
const KEY = "translationCache";
const MAX_AGE_MS = 604_800_000;
const MAX_ENTRIES = 200;

type Cache = Record<string, { text: string; at: number }>;

/** The cache as it was last read. It is read again after POLLING_INTERVAL_MS, because other tabs write it too. */
let loaded: { cache: Cache; at: number } | undefined;

function load(): Cache {
  if (!loaded || Math.abs(Date.now() - loaded.at) >= POLLING_INTERVAL_MS)
    loaded = { cache: read(), at: Date.now() };
  return loaded.cache;
}

function read(): Cache {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as unknown;
    return stored !== null && typeof stored === "object" ? (stored as Cache) : {};
  } catch {
    return {};
  }
}

/** The cached translation when it is at most 7 days old, else the result of `translate`, which is cached. */
export function cachedTranslation(text: string, language: string, translate: () => string): string {
  const cache = load();
  const name = `${language}:${text}`;
  const cached = Object.hasOwn(cache, name) ? cache[name] : undefined;
  if (cached && typeof cached.text === "string" && Date.now() - cached.at < MAX_AGE_MS) return cached.text;
  const translation = translate();
  const entries = Object.entries({ ...read(), [name]: { text: translation, at: Date.now() } })
    .filter(([, entry]) => Date.now() - Number(entry?.at) < MAX_AGE_MS)
    .slice(-MAX_ENTRIES);
  loaded = { cache: Object.fromEntries(entries), at: Date.now() };
  try {
    localStorage.setItem(KEY, JSON.stringify(loaded.cache));
  } catch {
    // Storage may be blocked or full: translates again next time.
  }
  return translation;
}
