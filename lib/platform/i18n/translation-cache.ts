/** The browser's store of translations (docs/product.md#33-what-the-browser-keeps): 7 days each, bounded. */
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

/** The translation that is stored and not older than 7 days, else the one that `translate` makes, which is stored. */
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
    // Storage may be closed or full: it is made again next time.
  }
  return made;
}
