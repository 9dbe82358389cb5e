/** So many days back our books are compared with the provider's. */
export const RECONCILIATION_DAYS = 3;

/** Something that our books and the provider's say differently, and whether it is in order since. */
export type ReconciliationDifference = {
  object: "payment" | "refund" | "dispute";
  /** the provider's */
  id: string;
  kind: "missing_here" | "missing_there" | "amount" | "state";
  /** state and cents; null where there is nothing */
  ours: string | null;
  theirs: string | null;
  healed: boolean;
};
