import { LRUCache } from "lru-cache";

export type MemoryCache<V extends object> = {
  /** The value of a key; `make` makes a missing one, once for all who ask meanwhile. Undefined is not cached. */
  get(key: string, make: () => Promise<V | undefined>): Promise<V | undefined>;
};
type Options<V> = { maxBytes: number; sizeOf: (value: V) => number };
type Make<V> = () => Promise<V | undefined>;

const holder = globalThis as typeof globalThis & { passlaneMemoryCaches?: Map<string, unknown> };

/**
 * A cache of values that never change under their keys, bounded by bytes. It lives on `globalThis` by its name, because
 * each bundle of Next would otherwise hold one of its own.
 */
export function memoryCache<V extends object>(
  name: string,
  { maxBytes, sizeOf }: Options<V>,
): MemoryCache<V> {
  holder.passlaneMemoryCaches ??= new Map();
  const caches = holder.passlaneMemoryCaches as Map<string, LRUCache<string, V, Make<V>>>;
  const cache =
    caches.get(name) ??
    new LRUCache<string, V, Make<V>>({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 8),
      sizeCalculation: (value, key) => sizeOf(value) + key.length + 1024,
      fetchMethod: (_key, _stale, { context: make }) => make(),
      ignoreFetchAbort: true,
    });
  caches.set(name, cache);
  return { get: (key, make) => cache.fetch(key, { context: make }) };
}
