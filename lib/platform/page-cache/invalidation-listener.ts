import { randomUUID } from "node:crypto";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const CHANNEL = "page_tags";
const HEARTBEAT_MS = 1_000;
/** Without a confirmation from the database for this long, no cached page may be served. */
const TRUSTED_MS = 2_000;
const CONFIRM_WITHIN_MS = 1_000;
/** A connection without a word for so long is replaced; a busy machine is only slow. */
const SILENT_MS = 6_000;
const CONNECT_WITHIN_MS = 8_000;

type Handlers = {
  onTag: (tag: string) => void;
  /** Notifications may have been lost. */
  onLost: () => void;
};

/**
 * Listens on a connection of its own to the notifications of tags that the database sends with each commit
 * (db/functions/notify_page_tag.sql). A confirmation is a notification to itself: notifications arrive in the order of their commits, so
 * that all earlier ones have arrived when it does. A connection that breaks or falls silent is replaced.
 */
export class InvalidationListener {
  private readonly own = `confirm:${randomUUID()}:`;
  private readonly waiting = new Map<string, (arrived: boolean) => void>();
  private connection: pg.Client | null = null;
  private connecting: Promise<void> | null = null;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private heardAt = 0;
  private sending: Promise<void> = Promise.resolve();
  private confirmations = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly handlers: Handlers,
    private readonly address: string,
  ) {}

  /** Resolves after the first attempt: without a database the listener is not trusted, and goes on trying. */
  static async open(handlers: Handlers, address = env().DATABASE_URL): Promise<InvalidationListener> {
    const listener = new InvalidationListener(handlers, address);
    await listener.beat();
    listener.timer = setInterval(() => void listener.beat(), HEARTBEAT_MS);
    listener.timer.unref();
    return listener;
  }

  /** Has a confirmation arrived within the last two seconds? */
  isTrusted(): boolean {
    return performance.now() - this.confirmedAt < TRUSTED_MS;
  }

  /** True once all notifications of commits before this call have arrived here. */
  async confirm(): Promise<boolean> {
    const { connection } = this;
    if (!connection) return false;
    this.confirmations += 1;
    const payload = `${this.own}${this.confirmations}`;
    const sentAt = performance.now();
    const arrival = this.arrivalOf(payload);
    this.sending = this.sending.then(() => this.notify(connection, payload)); // one statement at a time
    const confirmed = await arrival;
    this.waiting.delete(payload);
    if (!confirmed || this.connection !== connection) return false;
    this.confirmedAt = Math.max(this.confirmedAt, sentAt);
    return true;
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.connection) this.drop(this.connection);
  }

  private async notify(connection: pg.Client, payload: string): Promise<void> {
    try {
      const text = "select pg_notify($1, $2)";
      await connection.query({ name: "confirm", text, values: [CHANNEL, payload] });
    } catch {
      this.waiting.get(payload)?.(false); // the connection's own events tell what happened to it
    }
  }

  private async beat(): Promise<void> {
    const { connection } = this;
    if (!connection) {
      this.connecting ??= this.connect().finally(() => {
        this.connecting = null;
      });
      return this.connecting;
    }
    if ((await this.confirm()) || performance.now() - this.heardAt < SILENT_MS) return;
    this.drop(connection, new Error("no word from the database"));
    await this.beat();
  }

  private async connect(): Promise<void> {
    const connection = new pg.Client({
      connectionString: this.address,
      application_name: "passlane-pages",
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: CONNECT_WITHIN_MS,
    });
    connection.on("notification", ({ payload = "" }) => {
      if (connection === this.connection) this.onNotification(payload);
    });
    connection.on("error", (error) => this.drop(connection, error));
    connection.on("end", () => this.drop(connection, new Error("the connection ended")));
    try {
      await connection.connect();
      await connection.query(`listen ${CHANNEL}`);
      this.connection = connection;
      this.sending = Promise.resolve();
      this.heardAt = performance.now();
      this.handlers.onLost(); // notifications before this moment are unknown
      await this.confirm();
    } catch (error) {
      log.warn({ err: error }, "the invalidation listener does not connect");
      connection.end().catch(() => {});
    }
  }

  /** Takes nothing more from this connection; the notifications it would have brought count as lost. */
  private drop(connection: pg.Client, error?: Error): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.confirmedAt = Number.NEGATIVE_INFINITY;
    for (const arrive of this.waiting.values()) arrive(false);
    this.handlers.onLost();
    if (error) log.warn({ err: error }, "the invalidation listener lost its connection");
    connection.end().catch(() => {});
  }

  private arrivalOf(payload: string): Promise<boolean> {
    return new Promise((resolve) => {
      // Where this process itself was held up, the notification has come and is read first.
      const late = setTimeout(() => setImmediate(() => resolve(false)), CONFIRM_WITHIN_MS);
      this.waiting.set(payload, (arrived) => {
        clearTimeout(late);
        resolve(arrived);
      });
    });
  }

  private onNotification(payload: string): void {
    this.heardAt = performance.now();
    if (!payload.startsWith("confirm:")) this.handlers.onTag(payload);
    else this.waiting.get(payload)?.(true);
  }
}
