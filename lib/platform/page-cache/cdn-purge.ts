import { setTimeout as wait } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { ALL_PAGES_TAG, cacheTag } from "@/lib/platform/http/cdn";
import { log } from "@/lib/platform/log";

/** Tags that change within this time are purged together. */
const COLLECT_MS = 250;
/** An answer that was on its way when its tag was purged may reach the CDN afterwards. It is purged again after this time. */
const AGAIN_MS = 3_000;
const TIMEOUT_MS = 5_000;
/** Cloudflare takes 30 tags a request. */
const MAX_TAGS = 30;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

type Options = { url: string; token: string; collectMs?: number; againMs?: number; retryMs?: number[] };

/**
 * Purges a CDN by tags: `POST url` with `{"tags": […]}` and the token as bearer, as Cloudflare's API takes it. A request that
 * fails is repeated for a minute; by then the CDN's pages have expired.
 */
export class CdnPurge {
  private readonly waiting = new Set<string>();
  private running: Promise<void> | undefined;
  /** The repetition of each tag that was purged last. */
  private readonly again = new Map<string, NodeJS.Timeout>();
  private readonly end = new AbortController();

  constructor(private readonly options: Options) {}

  /** Undefined without a CDN. */
  static open(): CdnPurge | undefined {
    const { CDN_PURGE_URL: url, CDN_PURGE_TOKEN: token } = env();
    return url && token ? new CdnPurge({ url, token }) : undefined;
  }

  purge(tag: string): void {
    const name = cacheTag(tag);
    this.add(name);
    clearTimeout(this.again.get(name));
    const repeat = () => {
      this.again.delete(name);
      this.add(name);
    };
    this.again.set(name, setTimeout(repeat, this.options.againMs ?? AGAIN_MS).unref());
  }

  purgeAll(): void {
    this.purge(ALL_PAGES_TAG);
  }

  /** Purges what waits, once, and ends. */
  async stop(): Promise<void> {
    for (const timer of this.again.values()) clearTimeout(timer);
    this.end.abort();
    await this.running;
  }

  private add(tag: string): void {
    if (this.end.signal.aborted) return;
    this.waiting.add(tag);
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.pause(this.options.collectMs ?? COLLECT_MS);
      const all = [...this.waiting];
      this.waiting.clear();
      const tags = all.includes(ALL_PAGES_TAG) ? [ALL_PAGES_TAG] : all;
      for (let from = 0; from < tags.length; from += MAX_TAGS)
        await this.sendRepeatedly(tags.slice(from, from + MAX_TAGS));
    }
  }

  private async sendRepeatedly(tags: string[]): Promise<void> {
    const pauses = this.options.retryMs ?? RETRY_MS;
    for (let attempt = 0; ; attempt++) {
      const problem = await this.send(tags);
      if (problem === undefined) return;
      const pause = pauses[attempt];
      if (pause === undefined || this.end.signal.aborted)
        return log.error({ tags, problem }, "the CDN was not purged: its pages may be old for a minute");
      log.warn({ tags, problem }, "the CDN was not purged, trying again");
      await this.pause(pause);
    }
  }

  private async send(tags: string[]): Promise<string | undefined> {
    const { url, token } = this.options;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ tags }),
        redirect: "error", // the token goes to this address only
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  private pause(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.end.signal }).catch(() => {});
  }
}
