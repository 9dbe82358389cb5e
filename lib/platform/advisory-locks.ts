/**
 * The numbers of the shop's advisory locks, in one place so that no two things share one. Those of two numbers name a
 * space, with the thing itself as the second; Postgres keeps them apart from those of one.
 */
export const LOCKS = {
  /** (space, worker pool): held as long as the pool lives (worker-liveness.ts). */
  workers: 70411,
  /** (space, plan): those who wait for codes of a plan are served one after the other. */
  waitingPlan: 70412,
  /** Two instances that start together migrate one after the other. */
  migration: 70411001,
  /** Two imports of the same file at once do what one does; while the search is laid out, imports and migrations wait. */
  catalogImport: 70411002,
} as const;
