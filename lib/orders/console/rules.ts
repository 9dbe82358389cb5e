/** The parts of the list of refunds; `late`: the time to answer is over, e.g. because of a dispute. */
export const REFUND_LISTS = ["open", "late", "refused", "failed"] as const;
export type RefundListName = (typeof REFUND_LISTS)[number];

/** The action in the audit log by which a gesture of an order waits for a second person. Its detail names the approval. */
export const GOODWILL_ASKED = "refund.goodwill_asked";
