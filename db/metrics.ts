import pg from "pg";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import type { DatabaseMetrics, Sample } from "@/lib/platform/telemetry/database-metrics";
import { connectClient } from "./connect-pg";

const STATEMENT_MS = 2_000;
const CONNECT_MS = 2_000;
/** How often a process that does not read checks whether the reader has ended. */
const RETRY_MS = 10_000;

/**
 * Reads the shop's state for the metrics on its own connection, so that an exhausted pool and a slow metrics statement
 * do not affect each other. One process reads, which holds an advisory lock; the others take over when it ends.
 */
export class DatabaseMetricsReader {
  /** Reads that failed since the start. */
  failures = 0;
  private connection: pg.Client | undefined;
  private locked = false;
  private triedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;
  private readonly results = new Map<DatabaseMetrics, { at: number; samples: Sample[] }>();

  constructor(
    private readonly metrics: readonly DatabaseMetrics[],
    private readonly databaseUrl = env().DATABASE_DIRECT_URL,
  ) {}

  get isReader(): boolean {
    return this.locked;
  }

  samples(): Sample[] {
    return [...this.results.values()].flatMap(({ samples }) => samples);
  }

  /** Reads what is older than its time. Calls at the same moment share one read. Never rejects. */
  refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  async stop(): Promise<void> {
    await this.drop();
  }

  private async read(): Promise<void> {
    try {
      if (!(await this.isLocked())) return;
    } catch (error) {
      await this.onFailure(error);
      return;
    }
    for (const metrics of this.metrics) {
      const { at = Number.NEGATIVE_INFINITY } = this.results.get(metrics) ?? {};
      if (performance.now() - at < metrics.seconds * 1000) continue;
      try {
        const { rows } = await this.connection!.query(metrics.sql);
        this.results.set(metrics, { at: performance.now(), samples: metrics.toSamples(rows) });
      } catch (error) {
        this.results.delete(metrics); // an old value would hide that nothing is known
        await this.onFailure(error);
        if (!this.connection) return;
      }
    }
  }

  /** Whether this process reads. Its session holds the lock, and with its end another process gets it. */
  private async isLocked(): Promise<boolean> {
    if (this.locked) return true;
    if (performance.now() - this.triedAt < RETRY_MS) return false;
    this.triedAt = performance.now();
    const connection = await this.connect();
    const { rows } = await connection.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1) as locked",
      [ADVISORY_LOCKS.metrics],
    );
    this.locked = rows[0]?.locked === true;
    if (!this.locked) await this.drop();
    return this.locked;
  }

  private async connect(): Promise<pg.Client> {
    const connection = await connectClient(this.databaseUrl, {
      application_name: "passlane-metrics",
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: 2 * STATEMENT_MS,
      options: `-c statement_timeout=${STATEMENT_MS} -c lock_timeout=${STATEMENT_MS} -c jit=off -c default_transaction_read_only=on`,
    });
    const onLost = () => {
      if (this.connection === connection) this.forget();
    };
    connection.on("error", onLost).on("end", onLost);
    this.connection = connection;
    return connection;
  }

  private forget(): void {
    this.connection = undefined;
    this.locked = false;
    this.results.clear();
  }

  private async drop(): Promise<void> {
    const { connection } = this;
    this.forget();
    await connection?.end().catch(() => {});
  }

  /** A statement that the database refused leaves the connection usable; after anything else it is opened again. */
  private async onFailure(error: unknown): Promise<void> {
    this.failures += 1;
    log.warn({ err: error }, "metrics: the database could not be read");
    if (!(error instanceof pg.DatabaseError)) await this.drop();
  }
}
