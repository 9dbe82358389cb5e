import { randomUUID } from "node:crypto";
import { client } from "@/db/client";
import { log } from "@/lib/log";

const CHANNEL = "page_tags";
const BEAT_MS = 1_000;
/** Without a confirmed word from the database for this long, nothing that is kept may be served. */
const TRUSTED_MS = 2_000;
const ANSWER_MS = 1_000;

export type TagFeed = {
  /** The database's word has come through within the last two seconds. */
  isTrusted(): boolean;
  /** True once everything that was committed before this call has arrived here. */
  confirm(): Promise<boolean>;
  stop(): Promise<void>;
};

/**
 * Listens to what the database tells of changed pages (migration 0016). `onLost`: what was told meanwhile is unknown.
 * Each confirmation is a notice to oneself: notices arrive in the order of their commits, so that what came before is
 * here when it is.
 */
export async function openTagFeed(handlers: {
  onTag: (tag: string) => void;
  onLost: () => void;
}): Promise<TagFeed> {
  const self = `confirm:${randomUUID()}:`;
  const waiting = new Map<string, (came: boolean) => void>();
  let trustedAt = 0;
  let count = 0;

  const onNotice = (payload: string) => {
    if (!payload.startsWith("confirm:")) return handlers.onTag(payload);
    if (payload.startsWith(self)) waiting.get(payload)?.(true);
  };

  async function ask(): Promise<boolean> {
    count += 1;
    const payload = `${self}${count}`;
    const came = new Promise<boolean>((done) => {
      const late = setTimeout(() => done(false), ANSWER_MS);
      waiting.set(payload, (yes) => {
        clearTimeout(late);
        done(yes);
      });
    });
    try {
      const sent = performance.now();
      await client()`select pg_notify(${CHANNEL}, ${payload})`;
      const confirmed = await came;
      if (confirmed) trustedAt = Math.max(trustedAt, sent);
      return confirmed;
    } catch (error) {
      log.warn({ err: error }, "the feed of page tags is not confirmed");
      return false;
    } finally {
      waiting.delete(payload);
    }
  }

  // postgres.js connects again by itself; what was told in between is lost, so what is kept goes.
  const listening = await client().listen(CHANNEL, onNotice, () => {
    trustedAt = 0;
    handlers.onLost();
  });
  await ask();
  const beat = setInterval(() => void ask(), BEAT_MS);
  beat.unref();

  return {
    isTrusted: () => trustedAt > 0 && performance.now() - trustedAt < TRUSTED_MS,
    confirm: ask,
    async stop() {
      clearInterval(beat);
      for (const done of waiting.values()) done(false);
      await listening.unlisten().catch(() => {});
    },
  };
}
