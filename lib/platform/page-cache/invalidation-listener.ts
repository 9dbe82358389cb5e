import { randomUUID } from "node:crypto";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const CHANNEL = "page_tags";
const BEAT_MS = 1_000;
/** Without a confirmed word from the database for this long, nothing that is kept may be served. */
const TRUSTED_MS = 2_000;
const ANSWER_MS = 1_000;
/** A connection that says nothing for so long is given up; a busy machine is only slow. */
const SILENT_MS = 6_000;
const CONNECT_MS = 8_000;

type Handlers = { onTag: (tag: string) => void; onLost: () => void };

/**
 * Listens to what the database tells of changed pages (migration 0016), over a connection of its own. `onLost`: what
 * was told meanwhile is unknown. Each confirmation is a notice to oneself: notices arrive in the order of their commits,
 * so that what came before is here when it is. A connection that breaks or falls silent is given up for a new one.
 */
export class TagFeed {
  private readonly self = `confirm:${randomUUID()}:`;
  private readonly waiting = new Map<string, (came: boolean) => void>();
  private line: pg.Client | null = null;
  private connecting: Promise<void> | null = null;
  private trustedAt = Number.NEGATIVE_INFINITY;
  private heardAt = 0;
  private sending: Promise<void> = Promise.resolve();
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly handlers: Handlers,
    private readonly address: string,
  ) {}

  /** Resolves after the first attempt: without a database it is not trusted, and goes on trying. */
  static async open(handlers: Handlers, address = env().DATABASE_URL): Promise<TagFeed> {
    const feed = new TagFeed(handlers, address);
    await feed.beat();
    feed.timer = setInterval(() => void feed.beat(), BEAT_MS);
    feed.timer.unref();
    return feed;
  }

  /** The database's word has come through within the last two seconds. */
  isTrusted(): boolean {
    return performance.now() - this.trustedAt < TRUSTED_MS;
  }

  /** True once everything that was committed before this call has arrived here. */
  async confirm(): Promise<boolean> {
    const { line } = this;
    if (!line) return false;
    this.count += 1;
    const payload = `${this.self}${this.count}`;
    const sent = performance.now();
    const came = this.noticeOf(payload);
    this.sending = this.sending.then(() => this.tell(line, payload)); // one statement at a time
    const confirmed = await came;
    this.waiting.delete(payload);
    if (confirmed && this.line === line) this.trustedAt = Math.max(this.trustedAt, sent);
    return confirmed && this.line === line;
  }

  private async tell(line: pg.Client, payload: string): Promise<void> {
    try {
      await line.query({ name: "tell", text: "select pg_notify($1, $2)", values: [CHANNEL, payload] });
    } catch {
      this.waiting.get(payload)?.(false); // the connection itself says what happened to it
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    const { line } = this;
    if (line) this.leave(line);
  }

  private async beat(): Promise<void> {
    const { line } = this;
    if (!line) {
      this.connecting ??= this.connect().finally(() => {
        this.connecting = null;
      });
      return this.connecting;
    }
    if ((await this.confirm()) || performance.now() - this.heardAt < SILENT_MS) return;
    this.leave(line, new Error("no word from the database"));
    await this.beat();
  }

  private async connect(): Promise<void> {
    const line = new pg.Client({
      connectionString: this.address,
      application_name: "passlane-pages",
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
    });
    line.on("notification", ({ payload = "" }) => line === this.line && this.onNotice(payload));
    line.on("error", (error) => this.leave(line, error));
    line.on("end", () => this.leave(line, new Error("the connection ended")));
    try {
      await line.connect();
      await line.query(`listen ${CHANNEL}`);
      this.line = line;
      this.sending = Promise.resolve();
      this.heardAt = performance.now();
      this.handlers.onLost(); // what was told before is unknown
      await this.confirm();
    } catch (error) {
      log.warn({ err: error }, "the feed of page tags does not connect");
      line.end().catch(() => {});
    }
  }

  /** Nothing more is taken from this connection; what is kept goes, because what it would have told is not known. */
  private leave(line: pg.Client, error?: Error): void {
    if (this.line !== line) return;
    this.line = null;
    this.trustedAt = Number.NEGATIVE_INFINITY;
    for (const done of this.waiting.values()) done(false);
    this.handlers.onLost();
    if (error) log.warn({ err: error }, "the feed of page tags is lost");
    line.end().catch(() => {});
  }

  private noticeOf(payload: string): Promise<boolean> {
    return new Promise((done) => {
      // Where this process itself was held up, the answer has come and is read first.
      const late = setTimeout(() => setImmediate(() => done(false)), ANSWER_MS);
      this.waiting.set(payload, (came) => {
        clearTimeout(late);
        done(came);
      });
    });
  }

  private onNotice(payload: string): void {
    this.heardAt = performance.now();
    if (!payload.startsWith("confirm:")) this.handlers.onTag(payload);
    else this.waiting.get(payload)?.(true);
  }
}
