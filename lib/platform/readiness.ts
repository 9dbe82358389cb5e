import { type SchemaVersion, schemaVersion } from "@/db/version";
import type { Env } from "./env";
import { withTimeout } from "./with-timeout";

export type ReadinessFacts = {
  draining: boolean;
  /** `down`: a probe has no answer (db/monitor.ts). `full`: a write failed for lack of disk space. */
  database: { down: boolean; full: boolean };
  /** Rejects when the database does not answer. */
  schema?: () => Promise<SchemaVersion>;
  /**
   * Whether the caller accepts an instance that can only send cached pages (`/readyz?stale=ok`), and this one has some.
   */
  stale?: boolean;
  /** A closed shop is ready: it shows its notice. */
  shop: "open" | "closed";
  /** Whether codes wait for the journal of assignments; undefined: no journal is configured. */
  codesHeldBack?: () => Promise<boolean>;
  env: Pick<Env, "APP_MODE" | "PAYMENT_MODE" | "MAIL_MODE">;
};

/** Shorter than the timeout of health checks, which is often two seconds. */
const TIMEOUT_MS = 1_000;

/**
 * Reads the schema until it is current, and not again: its version only grows, and the monitor knows on its own
 * connection whether the database answers. A read would wait behind the requests of a busy instance, which its balancer
 * would then take out.
 */
export function untilCurrent(read: () => Promise<SchemaVersion>): () => Promise<SchemaVersion> {
  let current: SchemaVersion | undefined;
  return async () => {
    const version = current ?? (await read());
    if (version.applied >= version.needed && !version.clockShifted) current = version;
    return version;
  };
}
const knownSchema = untilCurrent(schemaVersion);

/**
 * Reports whether this instance may receive traffic (docs/reliability.md#health). The report names what is missing and
 * contains no secret.
 */
export async function readiness({
  draining,
  database,
  schema = knownSchema,
  shop,
  codesHeldBack,
  env,
  stale,
}: ReadinessFacts) {
  const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
    withTimeout(work, TIMEOUT_MS, () => new Error("no answer in time")).catch(() => undefined);
  const version = database.down ? undefined : await inTime(schema());
  const held = version && codesHeldBack && (await inTime(codesHeldBack()));
  const checks = {
    draining,
    database: !version ? "unreachable" : database.full ? "full" : "reachable",
    // During a rollout the schema may be newer than this code. An older schema is not ready.
    schema: !version ? "unknown" : version.applied >= version.needed ? "current" : "behind",
    shop,
    // No reason to send traffic elsewhere: other instances hold the codes back too.
    journal: !codesHeldBack ? "off" : held === undefined ? "unknown" : held ? "codes held back" : "written",
    // Production rejects a shifted clock, which would move holds, sessions and refund windows.
    clock: version?.clockShifted && env.APP_MODE === "production" ? "shifted" : "true",
  };
  const ready =
    !draining && checks.database === "reachable" && checks.schema === "current" && checks.clock === "true";
  const isStale = !ready && stale === true && !draining && !version;
  const modes = { app: env.APP_MODE, payment: env.PAYMENT_MODE, mail: env.MAIL_MODE };
  return {
    ready: ready || isStale,
    ...(isStale && { stale: true }),
    checks,
    modes,
    migration: version?.name ?? null,
  };
}
