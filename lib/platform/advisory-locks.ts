/**
 * Numbers of the shop's Postgres advisory locks, in one place so that no two uses share one. A two-part lock consists
 * of one of these numbers and the locked thing.
 */
export const ADVISORY_LOCKS = {
  /** (space, worker pool): held as long as the pool lives (worker-liveness.ts). */
  workers: 70411,
  /** (space, plan): serializes the assignment of a plan's stock to waiting orders. */
  waitingPlan: 70412,
  /** Serializes the migrations of instances that start together. */
  migration: 70411001,
  /** Serializes catalogue imports. */
  catalogImport: 70411002,
} as const;
