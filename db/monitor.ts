import { setTimeout as wait } from "node:timers/promises";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { connectClient } from "./connect-pg";

const PROBE_EVERY_MS = 500;
/** A slower answer does not count: with several statements a request, the shop could not answer in time. */
const ANSWER_MS = 500;
/** Without an answer for this long the database is down. With the pause between probes this leaves time for a 503 within 3 s. */
const DOWN_AFTER_MS = 1_750;
const CONNECT_MS = 2_000;
const CHECK_EVERY_MS = 100;
const ANSWERED_POLL_MS = 5;
/** If a check comes this late, this process was busy, and the delay does not count against the database. */
const BUSY_MS = 100;

/** True on a standby too: after a failover an address may lead to the former primary for a while. */
const PROBE = `select current_setting('transaction_read_only')::bool as "readOnly"`;

/** After this many attempts to connect that were refused, the database is down. */
const MAX_REFUSED = 2;

/** Sends a probe on a connection; `close` ends it. */
type Probe = { send(): Promise<unknown>; close(): void };
/** Opens a connection for probes; `onLost` is called when it breaks. Tests pass others. */
type Connect = (onLost: () => void) => Promise<Probe>;

/**
 * Watches whether the database answers, on a connection of its own (docs/reliability.md#when-the-database-fails). A
 * database that is stopped, frozen or slower than half a second counts as down.
 */
export class DatabaseMonitor {
  private probe: Probe | undefined;
  /** The time since which a probe has no answer, by `answerTime`. */
  private waitingSince: number | undefined;
  /** The time since which the connection is lost. */
  private lostAt: number | undefined;
  private downAt: number | undefined;
  private refused = 0;
  private checkedAt = performance.now();
  /** Milliseconds in which this process was too busy to read an answer. */
  private busyMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly onDownCallbacks = new Set<() => void>();
  private readonly onUpCallbacks = new Set<() => void>();

  private constructor(private readonly connect: Connect) {}

  static start(connect: Connect = connectToDatabase): DatabaseMonitor {
    const monitor = new DatabaseMonitor(connect);
    monitor.timer = setInterval(() => monitor.check(), CHECK_EVERY_MS);
    monitor.timer.unref();
    void monitor.probeRepeatedly();
    return monitor;
  }

  isDown(): boolean {
    return this.downAt !== undefined;
  }

  /** True if the database is down, or has broken the probe's connection and not answered since. */
  isFailing(): boolean {
    return this.isDown() || this.lostAt !== undefined;
  }

  /** Milliseconds since the database began to fail; 0 while it answers. */
  failingFor(): number {
    const since = this.downAt ?? this.lostAt;
    return since === undefined ? 0 : performance.now() - since;
  }

  /** Calls `callback` when the database stops answering. Returns a function that removes the callback. */
  onDown(callback: () => void): () => void {
    this.onDownCallbacks.add(callback);
    return () => void this.onDownCallbacks.delete(callback);
  }

  /** Calls `callback` when the database answers again, before `isDown` and `isFailing` change. */
  onUp(callback: () => void): void {
    this.onUpCallbacks.add(callback);
  }

  /** Resolves when no probe waits for its answer any more, or the database is failing: within DOWN_AFTER_MS. */
  async answered(): Promise<void> {
    while (this.waitingSince !== undefined && !this.isFailing() && !this.stopped)
      await wait(ANSWERED_POLL_MS);
  }

  /** The result of `work`. Rejects with DatabaseDownError when the database is down first; the work itself continues. */
  async whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDown()) throw new DatabaseDownError("the database is down");
    let stopWaiting = () => {};
    const down = new Promise<never>((_, reject) => {
      stopWaiting = this.onDown(() => reject(new DatabaseDownError("the database went down")));
    });
    return Promise.race([work(), down]).finally(stopWaiting);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    this.probe?.close();
  }

  private async probeRepeatedly(): Promise<void> {
    while (!this.stopped) {
      const sentAt = performance.now();
      this.waitingSince ??= this.answerTime();
      if (await this.isAnswered()) this.setUp();
      await wait(Math.max(0, PROBE_EVERY_MS - (performance.now() - sentAt)), undefined, { ref: false });
    }
  }

  private async isAnswered(): Promise<boolean> {
    try {
      this.probe ??= await this.reconnect();
      const { probe } = this;
      const sentAt = this.answerTime();
      const answered = new AbortController();
      const overdue = this.rejectWhenOverdue(sentAt, answered.signal);
      await Promise.race([probe.send(), overdue]).finally(() => answered.abort());
      return this.answerTime() - sentAt <= ANSWER_MS;
    } catch (error) {
      if (!this.isDown() && !this.stopped) log.warn({ err: error }, "the database does not answer a probe");
      this.probe?.close();
      this.probe = undefined;
      return false;
    }
  }

  /** Rejects when a probe has no answer; resolves once it has one. */
  private async rejectWhenOverdue(sentAt: number, answered: AbortSignal): Promise<void> {
    let leftMs = DOWN_AFTER_MS;
    while (leftMs > 0) {
      await wait(leftMs, undefined, { ref: false, signal: answered }).catch(() => {});
      if (answered.aborted) return;
      leftMs = DOWN_AFTER_MS - (this.answerTime() - sentAt);
    }
    throw new DatabaseDownError("no answer");
  }

  /** A clock in milliseconds that stops while this process is too busy to read an answer. */
  private answerTime(): number {
    return performance.now() - this.busyMs - this.delay();
  }

  /** By how many milliseconds the next check is late, if that is more than a busy moment. */
  private delay(): number {
    const late = performance.now() - this.checkedAt - CHECK_EVERY_MS;
    return late > BUSY_MS ? late : 0;
  }

  private async reconnect(): Promise<Probe> {
    try {
      let probe: Probe | undefined;
      probe = await this.connect(() => this.onLost(probe));
      this.refused = 0;
      return probe;
    } catch (error) {
      this.lostAt ??= performance.now();
      this.refused += 1;
      if (this.refused >= MAX_REFUSED) this.setDown(this.lostAt);
      throw error;
    }
  }

  private onLost(probe: Probe | undefined): void {
    if (this.stopped || probe === undefined || this.probe !== probe) return;
    this.probe = undefined;
    this.lostAt ??= performance.now();
  }

  private setDown(since: number): void {
    if (this.isDown() || this.stopped) return;
    this.downAt = since;
    log.error({}, "the database does not answer");
    for (const callback of [...this.onDownCallbacks]) callback();
  }

  private setUp(): void {
    this.waitingSince = undefined;
    if (!this.isFailing()) return;
    const ms = Math.round(this.failingFor());
    for (const callback of this.onUpCallbacks) callback();
    this.downAt = undefined;
    this.lostAt = undefined;
    log.warn({ ms }, "the database answers again");
  }

  private check(): void {
    this.busyMs += this.delay();
    this.checkedAt = performance.now();
    if (!this.isOverdue() || this.isDown()) return;
    // An answer that has arrived meanwhile is read before the immediate runs.
    setImmediate(() => {
      if (this.isOverdue()) this.setDown(performance.now() - this.waitingMs());
    });
  }

  private isOverdue(): boolean {
    return this.waitingMs() > DOWN_AFTER_MS;
  }

  private waitingMs(): number {
    return this.waitingSince === undefined ? 0 : this.answerTime() - this.waitingSince;
  }
}

/** Connects to DATABASE_URL, the way of requests, or to another address. */
export async function connectToDatabase(onLost: () => void, url = env().DATABASE_URL): Promise<Probe> {
  const connection = await connectClient(url, {
    application_name: "passlane-monitor",
    connectionTimeoutMillis: CONNECT_MS,
  });
  connection.on("error", onLost).on("end", onLost);
  return {
    async send() {
      const { rows } = await connection.query<{ readOnly: boolean }>(PROBE);
      if (rows[0]?.readOnly) throw new DatabaseDownError("the server is a standby, or read-only");
    },
    close: () => void connection.end().catch(() => {}),
  };
}
