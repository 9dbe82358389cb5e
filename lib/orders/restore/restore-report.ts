import type { PlanToWithhold } from "./find-plans-to-withhold";
import type { JournalReport } from "./read-checked-journal";

/** A payment that needs a person; null: the payments of the order. */
export type OpenPayment = { intentId: string | null; orderId: string; why: string };
/** A payment whose order this database does not have. */
export type LostPayment = { intentId: string; orderId: string; items: string | null; amountCents: number };

export type RestoreReport = {
  since: Date;
  journal: Omit<JournalReport, "orders" | "unknown">;
  /** keys that were handed out after the restored moment and were unsold here */
  quarantined: number;
  /** plans whose keys wait for staff */
  withheld: (PlanToWithhold & { keys: number })[];
  payments: {
    /** of orders that are here */
    recorded: number;
    refunded: LostPayment[];
    cancelled: LostPayment[];
    open: OpenPayment[];
  };
  /** what the reconciliation with the provider could not repair */
  differences: { object: string; id: string; kind: string }[];
};
