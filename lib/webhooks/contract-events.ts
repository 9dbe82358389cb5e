import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { Instant } from "@/lib/platform/api/fields";
import { type SentEvent, TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/webhooks/rules";

/** A code as in the requests of buyers: the first 8 digits of its SHA-256, and the last four characters of a long one. */
const CodeReference = z.object({ digest: z.string(), ending: z.string().nullable() });
const Pass = { product_id: z.int(), vip_id: z.int() };
const SaleData = z.object({
  /** as in GET /merchant/sales */
  sale_id: z.string(),
  ...Pass,
  pass_type: z.enum(PASS_TYPES),
  units: z.int(),
  /** before the discount */
  price: z.number(),
  discount: z.number(),
  pre_order: z.boolean(),
  sold_at: Instant,
});
const KeyData = z.object({
  sale_id: z.string(),
  ...Pass,
  /** null: the shop no longer has the code */
  code: CodeReference.nullable(),
});
const RequestData = z.object({
  request_id: z.string(),
  kind: z.enum(["refund", "replacement"]),
  sale_id: z.string(),
  ...Pass,
});
const StockData = z.object({ ...Pass, available: z.int() });
const PayoutData = z.object({ payout_id: z.string(), amount: z.number(), currency: z.string() });

/** `data` of a message of each type. */
export const WEBHOOK_DATA = {
  "sale.created": SaleData,
  "sale.delivered": SaleData,
  "sale.refunded": SaleData.extend({
    /** all units refunded so far; fewer than before when the bank returned a refund */
    refunded_units: z.int(),
    refunded: z.number(),
  }),
  "request.opened": RequestData.extend({
    /** when a refund is approved without an answer; null for a replacement, which has no deadline */
    answer_by: Instant.nullable(),
  }),
  "request.decided": RequestData.extend({ state: z.enum(["approved", "refused"]) }),
  "key.activated": KeyData.extend({ activated_at: Instant }),
  "key.revoked": KeyData.extend({ reason: z.enum(["replaced", "refunded"]) }),
  "key.restored": KeyData,
  "stock.low": StockData,
  "stock.out": StockData,
  "change.decided": z.object({
    change_id: z.string(),
    /** null: a new product that was not approved */
    product_id: z.int().nullable(),
    state: z.enum(["approved", "returned", "refused"]),
    note: z.string().nullable(),
    /** of the product, after an approval */
    revision: z.int().nullable(),
  }),
  "review.created": z.object({ review_id: z.string(), product_id: z.int(), rating: z.int().min(1).max(5) }),
  "payout.sent": PayoutData,
  "payout.failed": PayoutData.extend({ reason: z.string().nullable() }),
} as const satisfies Record<WebhookEvent, z.ZodType>;
export type WebhookData<T extends WebhookEvent> = z.input<(typeof WEBHOOK_DATA)[T]>;

const TestData = z.object({ endpoint_id: z.string() });

const SUMMARIES: Record<SentEvent, string> = {
  "sale.created": "A sale was paid",
  "sale.delivered": "All codes of a sale are with the buyer",
  "sale.refunded": "A sale was refunded, or a part of it",
  "request.opened": "A buyer asks for a refund or another code",
  "request.decided": "The request was decided",
  "key.activated": "The buyer activated a code",
  "key.revoked": "A code was replaced or refunded",
  "key.restored": "A refund failed: the code serves its buyer again",
  "stock.low": "The codes of a plan run low",
  "stock.out": "A plan has no code left",
  "change.decided": "A change was approved, returned or refused",
  "review.created": "A new review",
  "payout.sent": "A payout was sent",
  "payout.failed": "A payout failed",
  "webhook.test": "A test that the merchant asked for",
};

/** The messages as the OpenAPI document for merchants describes them. */
export const WEBHOOK_MESSAGES = ([...WEBHOOK_EVENTS, TEST_EVENT] as const).map((name) => ({
  name,
  summary: SUMMARIES[name],
  body: z.object({
    type: z.literal(name),
    /** when it happened */
    timestamp: Instant,
    data: name === TEST_EVENT ? TestData : WEBHOOK_DATA[name],
  }),
}));
