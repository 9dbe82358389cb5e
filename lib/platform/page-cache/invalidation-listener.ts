import { randomUUID } from "node:crypto";
import type pg from "pg";
import { connectClient } from "@/db/connect-pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const CHANNEL = "page_tags";
const HEARTBEAT_MS = 1_000;
/** Without a confirmation from the database for this long, no cached page may be served. */
const TRUSTED_MS = 2_000;
const CONFIRM_TIMEOUT_MS = 1_000;
/** A connection that delivers nothing for this long is replaced. A slow answer of a busy machine is tolerated. */
const SILENCE_LIMIT_MS = 6_000;
const CONNECT_TIMEOUT_MS = 8_000;

type Handlers = {
  onTag: (tag: string) => void;
  /** Called when notifications may have been lost. */
  onLost: () => void;
};

/**
 * Listens to the tag notifications that the database sends with each commit (db/functions/notify_page_tag.sql), on its
 * own connection. To confirm that it is up to date, it has a notification sent on another connection, by the way that
 * writes take (DATABASE_URL): Postgres delivers notifications in commit order, so all earlier ones have arrived when
 * this one does. One that the listener sent itself would arrive through a transaction pooler too, where others do not.
 * A broken or silent connection is replaced.
 */
export class InvalidationListener {
  private readonly payloadPrefix = `confirm:${randomUUID()}:`;
  /** The pending confirmations by their payload. */
  private readonly pending = new Map<string, (confirmed: boolean) => void>();
  private connection: pg.Client | null = null;
  /** Sends the confirmations. */
  private sender: Promise<pg.Client> | null = null;
  private connecting: Promise<void> | null = null;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private lastNotificationAt = 0;
  private sending: Promise<void> = Promise.resolve();
  /** The confirmation that waits to be sent. */
  private next: Promise<boolean> | null = null;
  private confirmationCount = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly handlers: Handlers,
    private readonly listenUrl: string,
    private readonly sendUrl: string,
  ) {}

  /** Resolves after the first connection attempt. Without a database the listener is not trusted, and keeps trying. */
  static async open(
    handlers: Handlers,
    { listenUrl = env().DATABASE_DIRECT_URL, sendUrl = env().DATABASE_URL } = {},
  ): Promise<InvalidationListener> {
    const listener = new InvalidationListener(handlers, listenUrl, sendUrl);
    await listener.checkConnection();
    listener.timer = setInterval(() => void listener.checkConnection(), HEARTBEAT_MS);
    listener.timer.unref();
    return listener;
  }

  /** True if a confirmation arrived within the last two seconds. */
  isTrusted(): boolean {
    return performance.now() - this.confirmedAt < TRUSTED_MS;
  }

  /** Resolves with true once the notifications of all commits before this call have arrived. Calls share what is not sent yet. */
  confirm(): Promise<boolean> {
    const { connection } = this;
    if (!connection) return Promise.resolve(false);
    this.next ??= this.sendConfirmation(connection);
    return this.next;
  }

  private async sendConfirmation(connection: pg.Client): Promise<boolean> {
    this.confirmationCount += 1;
    const payload = `${this.payloadPrefix}${this.confirmationCount}`;
    const sentAt = performance.now();
    const arrival = this.waitForArrival(payload);
    // One statement at a time.
    this.sending = this.sending.then(() => {
      this.next = null;
      return this.notify(payload);
    });
    const confirmed = await arrival;
    this.pending.delete(payload);
    if (!confirmed || this.connection !== connection) return false;
    this.confirmedAt = Math.max(this.confirmedAt, sentAt);
    return true;
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.connection) this.drop(this.connection);
    this.dropSender();
  }

  private async notify(payload: string): Promise<void> {
    if (!this.pending.has(payload)) return; // waited behind one without an answer
    try {
      this.sender ??= this.connectSender();
      await (await this.sender).query("select pg_notify($1, $2)", [CHANNEL, payload]);
    } catch (error) {
      log.warn({ err: error }, "invalidation listener: cannot send a confirmation");
      this.dropSender();
      this.pending.get(payload)?.(false);
    }
  }

  private async connectSender(): Promise<pg.Client> {
    const sender = await connectClient(this.sendUrl, {
      application_name: "passlane-pages-sender",
      connectionTimeoutMillis: CONFIRM_TIMEOUT_MS,
      query_timeout: CONFIRM_TIMEOUT_MS,
    });
    const forget = () => {
      void this.sender?.then((current) => current === sender && this.dropSender()).catch(() => {});
    };
    sender.on("error", forget).on("end", forget);
    return sender;
  }

  private dropSender(): void {
    const { sender } = this;
    this.sender = null;
    sender?.then((connection) => connection.end()).catch(() => {});
  }

  private async checkConnection(): Promise<void> {
    const { connection } = this;
    if (!connection) {
      this.connecting ??= this.connect().finally(() => {
        this.connecting = null;
      });
      return this.connecting;
    }
    if ((await this.confirm()) || performance.now() - this.lastNotificationAt < SILENCE_LIMIT_MS) return;
    this.drop(connection, new Error("the database sends nothing"));
    await this.checkConnection();
  }

  private async connect(): Promise<void> {
    let connection: pg.Client | undefined;
    try {
      connection = await connectClient(this.listenUrl, {
        application_name: "passlane-pages",
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: CONNECT_TIMEOUT_MS,
      });
      this.watch(connection);
      await connection.query(`listen ${CHANNEL}`);
      this.connection = connection;
      this.sending = Promise.resolve();
      this.lastNotificationAt = performance.now();
      this.handlers.onLost(); // notifications before this moment were not received
      await this.confirm();
    } catch (error) {
      log.warn({ err: error }, "invalidation listener: cannot connect");
      connection?.end().catch(() => {});
    }
  }

  private watch(connection: pg.Client): void {
    connection.on("notification", ({ payload = "" }) => {
      if (connection === this.connection) this.onNotification(payload);
    });
    connection.on("error", (error) => this.drop(connection, error));
    connection.on("end", () => this.drop(connection, new Error("the connection ended")));
  }

  /** Closes this connection. The notifications that it would have delivered count as lost. */
  private drop(connection: pg.Client, error?: Error): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.next = null;
    this.confirmedAt = Number.NEGATIVE_INFINITY;
    for (const resolve of this.pending.values()) resolve(false);
    this.handlers.onLost();
    if (error) log.warn({ err: error }, "invalidation listener: connection lost");
    connection.end().catch(() => {});
  }

  private waitForArrival(payload: string): Promise<boolean> {
    return new Promise((resolve) => {
      // If this process was blocked, the notification is already in the socket and is read before the immediate runs.
      const timer = setTimeout(() => setImmediate(() => resolve(false)), CONFIRM_TIMEOUT_MS);
      this.pending.set(payload, (confirmed) => {
        clearTimeout(timer);
        resolve(confirmed);
      });
    });
  }

  private onNotification(payload: string): void {
    this.lastNotificationAt = performance.now();
    if (!payload.startsWith("confirm:")) this.handlers.onTag(payload);
    else this.pending.get(payload)?.(true);
  }
}
