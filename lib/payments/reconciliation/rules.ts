/** How many days back the shop's records are compared with the provider's. */
export const RECONCILIATION_DAYS = 3;

/** A difference between the shop's and the provider's records, and whether it was repaired. */
export type ReconciliationDifference = {
  object: "payment" | "refund" | "dispute";
  /** the provider's id */
  id: string;
  kind: "missing_here" | "missing_there" | "amount" | "state";
  /** state and cents; null where there is no record */
  ours: string | null;
  theirs: string | null;
  healed: boolean;
};
