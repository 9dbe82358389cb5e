/**
 * Numbers of the Postgres advisory locks, in one place so that no two uses share one. A two-part lock consists of one of
 * these numbers and a hash or id of what is locked.
 */
export const ADVISORY_LOCKS = {
  /** (number, worker pool): held as long as the pool lives (worker-liveness.ts). */
  workers: 70411,
  /** (number, plan): serializes the assignment of a plan's stock to waiting orders. */
  waitingPlan: 70412,
  /** (number, hash of an email identity): serializes the orders of all its accounts. */
  ordersOfIdentity: 70413,
  /** (number, hash of a device or an address group): serializes the further unpaid orders of one client. */
  ordersOfDevice: 70414,
  ordersOfAddress: 70415,
  /** (number, plan): serializes further unpaid orders of a plan, which may hold a share of its stock. */
  heldPlan: 70416,
  /** (number, hash of a visitor): serializes the source reports of one visitor. */
  sourceOfVisitor: 70417,
  /** (number, plan): a key's last moment to sell is computed while its plan's margin stays (db/functions/set_key_sell_by.sql). */
  sellMargin: 70419,
  /** (number, product): serializes the reviews of a product, of which each person has one. */
  reviewsOfProduct: 70420,
  /** Serializes the migrations of instances that start together. */
  migration: 70411001,
  /** Serializes catalogue imports. */
  catalogImport: 70411002,
  /** Serializes the sealing of the audit log. */
  auditChain: 70411003,
  /** Serializes what gives merchants their names, which must differ. */
  merchantNames: 70411005,
  /** Held by the one process that reads the shop's state for the metrics, for as long as its connection lives. */
  metrics: 70411004,
} as const;
