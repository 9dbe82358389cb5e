import type pg from "pg";
import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { log } from "@/lib/platform/log";
import { connectClient } from "./connect";

/** How long a read waits for the replica. It is usually a few milliseconds behind. */
const CATCH_UP_MS = 150;
const CHECK_EVERY_MS = 4;
/** After the replica was late or failed, all reads go to the primary for this long. */
const PAUSE_MS = 2_000;
const ANSWER_MS = 1_000;

/** A read that the replica cancels because it must replay a change of the same rows. */
const CONFLICT_CODES = ["40001", "40P01"];

type Addresses = { primaryUrl: string; replicaUrl: string };
type Link = "primary" | "replica";

/**
 * Tells whether a streaming replica has replayed all that the primary had committed before the question, so that a read from
 * it never shows less than one from the primary. A replica that is late, gone or promoted is left out for two seconds.
 */
export class Replica {
  private readonly links = new Map<Link, Promise<pg.Client>>();
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private running: Promise<boolean> | undefined;
  private next: Promise<boolean> | undefined;

  constructor(private readonly addresses: Addresses) {}

  /** Questions that arrive while one is being answered share the next one, because its answer may be older than they are. */
  isCaughtUp(): Promise<boolean> {
    if (performance.now() < this.pausedUntil) return Promise.resolve(false);
    if (!this.running) {
      this.running = this.catchUp().finally(() => {
        this.running = undefined;
      });
      return this.running;
    }
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.isCaughtUp();
    });
    return this.next;
  }

  /**
   * True if the failure of a read is the replica's, so that the primary may answer instead. Then the replica is left out for a
   * while, unless it only cancelled this read.
   */
  isFailedBy(error: unknown): boolean {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (CONFLICT_CODES.includes(code)) return true;
    if (!isDatabaseFailure(error)) return false;
    this.pause("it failed", error);
    return true;
  }

  close(): void {
    for (const link of ["primary", "replica"] as const) this.drop(link);
  }

  private async catchUp(): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS;
    try {
      const [primary] = await this.query<{ lsn: string; timeline: number }>(
        "primary",
        // All that another session can see has been flushed. The name of a WAL file begins with the timeline.
        `select lsn::text, ('x' || substr(pg_walfile_name(lsn), 1, 8))::bit(32)::int as timeline
         from pg_current_wal_flush_lsn() lsn`,
        [],
      );
      while (performance.now() < deadline) {
        const [replica] = await this.query<{ replayed: boolean }>(
          "replica",
          // Only a replica that streams from this timeline. Without pg_read_all_stats, the timeline is hidden.
          `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn and exists (
             select from pg_stat_wal_receiver where coalesce(received_tli, $2::int) = $2::int) as replayed`,
          [primary!.lsn, primary!.timeline],
        );
        if (replica!.replayed) return true;
        await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
      }
      this.pause("it is behind");
    } catch (error) {
      this.pause("it does not answer", error);
    }
    return false;
  }

  private pause(reason: string, error?: unknown): void {
    if (performance.now() < this.pausedUntil) return;
    this.pausedUntil = performance.now() + PAUSE_MS;
    log.warn({ err: error, reason }, "the replica is not used for two seconds");
  }

  private async query<R extends pg.QueryResultRow>(
    link: Link,
    text: string,
    values: unknown[],
  ): Promise<R[]> {
    let connecting = this.links.get(link);
    if (!connecting) {
      connecting = this.connect(link);
      this.links.set(link, connecting);
    }
    try {
      const connection = await connecting;
      return (await connection.query<R>({ name: `replica-${link}`, text, values })).rows;
    } catch (error) {
      if (this.links.get(link) === connecting) this.drop(link);
      throw error;
    }
  }

  private async connect(link: Link): Promise<pg.Client> {
    const { primaryUrl, replicaUrl } = this.addresses;
    const connection = await connectClient(link === "primary" ? primaryUrl : replicaUrl, {
      application_name: "passlane-replica",
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    connection.on("end", () => this.drop(link));
    return connection;
  }

  private drop(link: Link): void {
    const connecting = this.links.get(link);
    this.links.delete(link);
    connecting?.then((connection) => connection.end()).catch(() => {});
  }
}
