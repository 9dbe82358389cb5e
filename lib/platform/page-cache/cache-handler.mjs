/**
 * Next's `cacheHandler`. Next loads this file without building it and creates one object per request, so it only
 * delegates to the page cache that instrumentation.ts has opened (page-cache.ts). Until then, nothing is cached.
 */
export default class CacheHandler {
  async get(key, { kind }) {
    return kind === "APP_PAGE" ? ((await globalThis.passlaneProcess?.pages?.get(key)) ?? null) : null;
  }
  async set(key, page) {
    if (page?.kind === "APP_PAGE") globalThis.passlaneProcess?.pages?.set(key, page);
  }
  async revalidateTag() {}
  resetRequestCache() {}
}
