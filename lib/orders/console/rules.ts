/** The parts of the list of refunds; `late`: the time to answer has passed, e.g. because of a dispute. */
export const REFUND_LISTS = ["open", "late", "refused", "failed"] as const;
export type RefundListName = (typeof REFUND_LISTS)[number];

/**
 * Where the codes of an order went when they were assigned, if they were not all mailed: into the library for want of consent
 * to immediate delivery, by the shopper's choice, some of them only, or to wait for the recipient of a gift.
 */
export type KeptCodes = "no_consent" | "by_choice" | "some" | "gift";

/** The action in the audit log by which a gesture of an order waits for a second person. Its detail names the approval. */
export const GOODWILL_ASKED = "refund.goodwill_asked";

/** What the provider's stand-in can be told to send about a payment. */
export const SANDBOX_SIGNALS = ["fraud_warning", "review_opened", "review_closed"] as const;
