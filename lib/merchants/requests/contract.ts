import { z } from "zod";
import { REPLACEMENT_NOTE_MAX } from "@/lib/delivery/rules";
import { REQUEST_ANSWERS, REQUEST_KINDS } from "@/lib/merchants/requests/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /merchant/requests: the open ones with the least time left first; decided ones with the newest first. */
export const MerchantRequestsInput = z.object({
  cursor: Cursor,
  kind: z.enum(REQUEST_KINDS).default("refund"),
  state: z.enum(["open", "decided"]).default("open"),
});
export type MerchantRequestsInput = z.output<typeof MerchantRequestsInput>;

export const MerchantRequest = z.object({
  request_id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  state: z.enum(["asked", "approved", "refused"]),
  asked_at: Instant,
  /** when a refund is approved without an answer; null: a replacement, which waits */
  answer_by: Instant.nullable(),
  sale_id: z.string(),
  product_id: z.int(),
  product_name: z.string(),
  vip_id: z.int(),
  vip_type: z.string(),
  /** as in the sales */
  buyer: z.string(),
  /** what a refund returns to the buyer; null: a replacement */
  amount: z.number().nullable(),
  /** the codes that the request is about: the first 8 digits of their SHA-256, and the last four characters of long ones */
  codes: z.array(z.object({ digest: z.string(), ending: z.string().nullable() })),
  /** the shop requested it for the buyer */
  asked_by_shop: z.boolean(),
  /** in the words of the buyer, without codes and addresses; null: a refund, the shop asked, or the account is deleted */
  reason: z.string().nullable(),
  /** available codes of the plan, counted to 100; null: a refund */
  stock: z.int().nullable(),
  /** what stops an answer now; null: nothing, or it is decided */
  blocked_by: z.enum(["own_request", "disputed", "refund_requested", "code_locked", "no_stock"]).nullable(),
  decided_at: Instant.nullable(),
  decided_by: z.enum(["merchant", "deadline", "shop"]).nullable(),
  /** an answer names it */
  version: Version,
});
export type MerchantRequest = z.output<typeof MerchantRequest>;
export const MerchantRequestList = listOf(MerchantRequest);
export type MerchantRequestList = z.output<typeof MerchantRequestList>;

export const RequestParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /merchant/requests/{id}/answer */
export const AnswerRequestInput = SeenVersion.extend({
  answer: z.enum(REQUEST_ANSWERS).meta({ example: "unused" }),
  /** the reason for its owner; needed with `refuse` */
  reason: z.string().trim().min(1).max(REPLACEMENT_NOTE_MAX).optional(),
});
export type AnswerRequestInput = z.output<typeof AnswerRequestInput>;
export const RequestAnswered = z.object({
  request_id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  state: z.enum(["approved", "refused"]),
});
export type RequestAnswered = z.output<typeof RequestAnswered>;
