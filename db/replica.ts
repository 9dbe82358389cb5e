import type postgres from "postgres";
import { DatabaseDownError, isDatabaseFailure } from "@/lib/platform/database-failure";
import { log } from "@/lib/platform/log";
import { withTimeout } from "@/lib/platform/with-timeout";
import { openSql } from "./connect";

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
  private readonly links = new Map<Link, postgres.Sql>();
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
      const [primary] = await this.query<{ lsn: string; timeline: string }>(
        "primary",
        // All that another session can see has been flushed. The name of a WAL file begins with the timeline.
        `select lsn::text, ('x' || substr(pg_walfile_name(lsn), 1, 8))::bit(32)::int::text as timeline
         from pg_current_wal_flush_lsn() lsn`,
        [],
      );
      while (performance.now() < deadline) {
        const [replica] = await this.query<{ replayed: boolean }>(
          "replica",
          // Only a replica that streams from this timeline. Without pg_read_all_stats, the timeline is hidden.
          `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn and exists (
             select from pg_stat_wal_receiver where coalesce(received_tli, $2::text::int) = $2::text::int) as replayed`,
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

  private async query<R extends object>(link: Link, text: string, values: string[]): Promise<R[]> {
    const { primaryUrl, replicaUrl } = this.addresses;
    let connection = this.links.get(link);
    if (!connection) {
      connection = openSql(link === "primary" ? primaryUrl : replicaUrl, {
        max: 1,
        connect_timeout: ANSWER_MS / 1000,
        backoff: () => 0,
        connection: { application_name: "passlane-replica" },
      });
      this.links.set(link, connection);
    }
    try {
      const asked = connection.unsafe<R[]>(text, values, { prepare: true });
      return await withTimeout(asked, ANSWER_MS, () => new DatabaseDownError("no answer"));
    } catch (error) {
      if (this.links.get(link) === connection) this.drop(link);
      throw error;
    }
  }

  private drop(link: Link): void {
    const connection = this.links.get(link);
    this.links.delete(link);
    connection?.end({ timeout: 0 }).catch(() => {});
  }
}
