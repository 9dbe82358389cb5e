/** The browser's translation cache (docs/product.md#33-what-the-browser-keeps): 7 days each, bounded. */
const KEY = "translationCache";
const KEPT_MS = 604_800_000;
const MOST = 200;

type Cache = Record<string, { text: string; at: number }>;

function read(): Cache {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as unknown;
    return found !== null && typeof found === "object" ? (found as Cache) : {};
  } catch {
    return {};
  }
}

/** The cached translation when it is at most 7 days old, else the result of `translate`, which is cached. */
export function cachedTranslation(text: string, language: string, translate: () => string): string {
  const cache = read();
  const name = `${language}:${text}`;
  const known = Object.hasOwn(cache, name) ? cache[name] : undefined;
  if (known && typeof known.text === "string" && Date.now() - known.at < KEPT_MS) return known.text;
  const made = translate();
  const kept = Object.entries({ ...cache, [name]: { text: made, at: Date.now() } })
    .filter(([, entry]) => Date.now() - Number(entry?.at) < KEPT_MS)
    .slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Storage may be blocked or full: translates again next time.
  }
  return made;
}
