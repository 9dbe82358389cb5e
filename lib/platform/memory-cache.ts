import { LRUCache } from "lru-cache";

type Load<V> = () => Promise<V | undefined>;

const globals = globalThis as typeof globalThis & { passlaneMemoryCaches?: Map<string, unknown> };

/**
 * A cache of values that never change under their keys, or may be `maxAgeMs` old, bounded by bytes. It is stored on
 * `globalThis` under its name, because each bundle of Next would otherwise have its own.
 */
export function memoryCache<V extends object>(
  name: string,
  { maxBytes, sizeOf, maxAgeMs }: { maxBytes: number; sizeOf: (value: V) => number; maxAgeMs?: number },
) {
  globals.passlaneMemoryCaches ??= new Map();
  const caches = globals.passlaneMemoryCaches as Map<string, LRUCache<string, V, Load<V>>>;
  const cache =
    caches.get(name) ??
    new LRUCache<string, V, Load<V>>({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 8),
      sizeCalculation: (value, key) => sizeOf(value) + key.length + 1024,
      fetchMethod: (_key, _stale, { context: load }) => load(),
      ignoreFetchAbort: true,
      ...(maxAgeMs !== undefined && { ttl: maxAgeMs }),
    });
  caches.set(name, cache);
  return {
    /** The value of a key. `load` loads a missing value; concurrent calls share it. Undefined is not cached. */
    get: (key: string, load: Load<V>): Promise<V | undefined> => cache.fetch(key, { context: load }),
  };
}
