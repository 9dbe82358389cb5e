import { randomUUID } from "node:crypto";
import { client } from "@/db/client";
import { log } from "@/lib/log";

const CHANNEL = "page_tags";
const BEAT_MS = 1_000;
/** Without a confirmed word from the database for this long, nothing that is kept may be served. */
const TRUSTED_MS = 2_000;
const ANSWER_MS = 1_000;

type Handlers = { onTag: (tag: string) => void; onLost: () => void };

/**
 * Listens to what the database tells of changed pages (migration 0016). `onLost`: what was told meanwhile is unknown.
 * Each confirmation is a notice to oneself: notices arrive in the order of their commits, so that what came before is
 * here when it is.
 */
export class TagFeed {
  private readonly self = `confirm:${randomUUID()}:`;
  private readonly waiting = new Map<string, (came: boolean) => void>();
  private trustedAt = 0;
  private count = 0;
  private beat: NodeJS.Timeout | undefined;
  private unlisten: (() => Promise<unknown>) | undefined;

  private constructor(private readonly handlers: Handlers) {}

  static async open(handlers: Handlers): Promise<TagFeed> {
    const feed = new TagFeed(handlers);
    // postgres.js connects again by itself; what was told in between is lost, so what is kept goes.
    const listening = await client().listen(
      CHANNEL,
      (payload) => feed.onNotice(payload),
      () => feed.onConnected(),
    );
    feed.unlisten = () => listening.unlisten();
    await feed.confirm();
    feed.beat = setInterval(() => void feed.confirm(), BEAT_MS);
    feed.beat.unref();
    return feed;
  }

  /** The database's word has come through within the last two seconds. */
  isTrusted(): boolean {
    return this.trustedAt > 0 && performance.now() - this.trustedAt < TRUSTED_MS;
  }

  /** True once everything that was committed before this call has arrived here. */
  async confirm(): Promise<boolean> {
    this.count += 1;
    const payload = `${this.self}${this.count}`;
    const sent = performance.now();
    const came = this.noticeOf(payload);
    try {
      await client()`select pg_notify(${CHANNEL}, ${payload})`;
      const confirmed = await came;
      if (confirmed) this.trustedAt = Math.max(this.trustedAt, sent);
      return confirmed;
    } catch (error) {
      log.warn({ err: error }, "the feed of page tags is not confirmed");
      return false;
    } finally {
      this.waiting.delete(payload);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.beat);
    for (const done of this.waiting.values()) done(false);
    await this.unlisten?.().catch(() => {});
  }

  private noticeOf(payload: string): Promise<boolean> {
    return new Promise((done) => {
      const late = setTimeout(() => done(false), ANSWER_MS);
      this.waiting.set(payload, (came) => {
        clearTimeout(late);
        done(came);
      });
    });
  }

  private onNotice(payload: string): void {
    if (!payload.startsWith("confirm:")) this.handlers.onTag(payload);
    else this.waiting.get(payload)?.(true);
  }

  private onConnected(): void {
    this.trustedAt = 0;
    this.handlers.onLost();
  }
}
