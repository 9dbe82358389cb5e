/** The parts of the list of refunds; `late`: the time to answer is over, e.g. because of a dispute. */
export const REFUND_LISTS = ["open", "late", "refused", "failed"] as const;
export type RefundListName = (typeof REFUND_LISTS)[number];
