import type { Env } from "./env";

export type ReadinessFacts = {
  draining: boolean;
  /** Rejects when the database does not answer. */
  schema: () => Promise<{ applied: number; needed: number; name: string; clockShifted: boolean }>;
  worker: "running" | "off" | "failed";
  env: Pick<Env, "APP_MODE" | "PAYMENT_MODE" | "MAIL_MODE">;
};

const ANSWER_WITHIN_MS = 2_000;

/**
 * Whether this instance may receive traffic (docs/reliability.md#health). The report names what is missing and
 * contains no secret.
 */
export async function readiness({ draining, schema, worker, env }: ReadinessFacts) {
  const found = await within(schema(), ANSWER_WITHIN_MS).catch(() => undefined);
  const checks = {
    draining,
    database: found ? "reachable" : "unreachable",
    // A newer schema than this code is normal during a rollout; an older one is not.
    schema: !found ? "unknown" : found.applied >= found.needed ? "current" : "behind",
    worker,
    // Production refuses a shifted shop clock, which would move holds, sessions and refund windows.
    clock: found?.clockShifted && env.APP_MODE === "production" ? "shifted" : "true",
  };
  const ready = !draining && checks.schema === "current" && checks.clock === "true" && worker !== "failed";
  const modes = { app: env.APP_MODE, payment: env.PAYMENT_MODE, mail: env.MAIL_MODE };
  return { ready, checks, modes, migration: found?.name ?? null };
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
