import type postgres from "postgres";
import { DatabaseDownError, isDatabaseFailure } from "@/lib/platform/database-failure";
import { log } from "@/lib/platform/log";
import { withTimeout } from "@/lib/platform/with-timeout";
import { openSql } from "./connect";

/** After the replica was late or failed, all reads go to the primary for this long. */
const PAUSE_MS = 2_000;
const ANSWER_MS = 500;

/** A read that the replica cancels because it must replay a change of the same rows. */
const CONFLICT_CODES = ["40001", "40P01"];

/**
 * Whether a streaming replica is at most ten seconds behind. One that has replayed all that it received is not behind, however
 * old the last change is; without a receiver it gets none.
 */
const IS_CURRENT = `select pg_is_in_recovery() and exists (select from pg_stat_wal_receiver) and (
    pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
    or pg_last_xact_replay_timestamp() > clock_timestamp() - interval '10 seconds') as current`;

/**
 * Whether reads may go to the replica, checked on its own connection before each of them. A replica that is late, down
 * or promoted is skipped for two seconds.
 */
export class Replica {
  private connection: postgres.Sql | undefined;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private asking: Promise<boolean> | undefined;

  /** `onSilent` ends the connections to the replica on which statements wait for an answer. */
  constructor(
    private readonly url: string,
    private readonly onSilent: () => void,
  ) {}

  /** Concurrent calls share one question. */
  isUsable(): Promise<boolean> {
    if (performance.now() < this.pausedUntil) return Promise.resolve(false);
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
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
    this.connection?.end({ timeout: 0 }).catch(() => {});
    this.connection = undefined;
  }

  private async ask(): Promise<boolean> {
    try {
      this.connection ??= openSql(this.url, {
        max: 1,
        connect_timeout: 1,
        backoff: () => 0,
        connection: { application_name: "passlane-replica" },
      });
      const query = this.connection.unsafe<{ current: boolean | null }[]>(IS_CURRENT, [], { prepare: true });
      const [row] = await withTimeout(query, ANSWER_MS, () => new DatabaseDownError("no answer"));
      if (row?.current) return true;
      this.pause("it is more than ten seconds behind, or no replica");
    } catch (error) {
      this.pause("it does not answer", error);
      this.close();
      this.onSilent();
    }
    return false;
  }

  private pause(reason: string, error?: unknown): void {
    if (performance.now() < this.pausedUntil) return;
    this.pausedUntil = performance.now() + PAUSE_MS;
    log.warn({ err: error, reason }, "the replica is skipped for two seconds");
  }
}
