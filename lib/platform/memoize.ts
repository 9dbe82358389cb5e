/** Results for longer texts are not cached. */
const MAX_TEXT_LENGTH = 300;

/** Caches up to `maxEntries` results of a pure function of a text. */
export function memoize<T>(compute: (text: string) => T, maxEntries = 1000): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > MAX_TEXT_LENGTH) return result;
    if (results.size >= maxEntries) results.clear(); // frequent texts are cached again soon
    results.set(text, result);
    return result;
  };
}
