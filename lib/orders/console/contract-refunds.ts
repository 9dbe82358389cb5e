import { z } from "zod";
import { REFUND_LISTS } from "@/lib/orders/console/rules";
import { ContentLanguage, Instant, Usd } from "@/lib/platform/api/fields";
import { Cursor, EmailPrefix, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { foldOrderNumber } from "@/lib/platform/fold-text";

/** GET /admin/refunds: by time left, the least first; refused ones the newest first; failed ones the oldest first. */
export const ConsoleRefundsInput = z.object({
  cursor: Cursor,
  state: z.enum(REFUND_LISTS).default("open"),
  /** the beginning of the shopper's address */
  email: EmailPrefix.optional(),
  /** the vendor's name in addresses */
  vendor: z.string().trim().min(1).max(120).optional(),
  /** an order's number */
  number: z.string().overwrite(foldOrderNumber).min(1).max(64).optional(),
});
export type ConsoleRefundsInput = z.output<typeof ConsoleRefundsInput>;

export const ConsoleRefund = z.object({
  /** of the request; of a failed one: of the refund */
  refund_id: z.string(),
  order_id: z.string(),
  order_number: z.string(),
  /** the shopper's account */
  email: z.string(),
  /** the language of the account, in which a refusal's reason is read */
  reader: ContentLanguage,
  /** null: the refund is of the whole order */
  product_name: z.string().nullable(),
  vip_type: z.string().nullable(),
  vendor: z.string().nullable(),
  amount: Usd,
  /** when it was requested; for a failed one: when the last attempt failed */
  at: Instant,
  /** when it is approved without an answer, or until when staff decide if a country was stated; null: it is decided */
  answer_by: Instant.nullable(),
  /** why the vendor is asked: codes that were shown or mailed, of all codes of the line */
  codes: z.int(),
  codes_seen: z.int(),
  /** `vendor`, the address of the person who refused, the name of a merchant's token, or `staff:` and a user of the shell; null: not decided */
  decided_by: z.string().nullable(),
  decided_at: Instant.nullable(),
  /** the address of the staff member who requested it for the shopper; null: the shopper did */
  asked_by: z.string().nullable(),
  /** the country that the shopper states, another than the order's; null: any other request */
  stated_country: z.string().nullable(),
  /** the order's country; null: not known */
  order_country: z.string().nullable(),
  /** the provider's reason of the last failure */
  failure: z.string().nullable(),
  /** the payment is disputed, so nothing can be decided */
  disputed: z.boolean(),
  version: Version,
});
export type ConsoleRefund = z.output<typeof ConsoleRefund>;
export const ConsoleRefundList = listOf(ConsoleRefund);
export type ConsoleRefundList = z.output<typeof ConsoleRefundList>;

/** POST /admin/refunds/{id}/approve, /refuse, /settle */
export const RefundParams = z.object({ id: z.string().min(1).max(64) });
/** `overrule`: approves a refused request. */
export const ApproveRefundInput = SeenVersion.extend({ overrule: z.boolean().default(false) });
export type ApproveRefundInput = z.output<typeof ApproveRefundInput>;
/** `reason` is shown to the shopper. */
export const RefuseRefundInput = SeenVersion.extend({ reason: z.string().trim().min(3).max(500) });
export type RefuseRefundInput = z.output<typeof RefuseRefundInput>;
/** `note`: how it was paid, for staff. */
export const SettleRefundInput = SeenVersion.extend({ note: z.string().trim().min(3).max(500) });
export type SettleRefundInput = z.output<typeof SettleRefundInput>;
export const RefundDecided = z.object({ refund_id: z.string(), state: z.enum(["approved", "refused"]) });
export type RefundDecided = z.output<typeof RefundDecided>;
export const RefundSettled = z.object({ refund_id: z.string(), amount: Usd });
export type RefundSettled = z.output<typeof RefundSettled>;

/** POST /admin/refunds/approve: several together. */
export const ApproveRefundsInput = z.object({
  refund_ids: z.array(z.string().min(1).max(64)).min(1).max(50),
  /** the version that was shown of each, by its id */
  versions: z.record(z.string().min(1).max(64), Version.max(64)).default({}),
});
export type ApproveRefundsInput = z.output<typeof ApproveRefundsInput>;
/** `failed`: those that could not be approved, e.g. because they were decided or have changed meanwhile. */
export const RefundsApproved = z.object({ approved: z.int(), failed: z.array(z.string()) });
export type RefundsApproved = z.output<typeof RefundsApproved>;

/** POST /admin/orders/{id}/refund: all that is left of one line, by the rule. */
export const LineRefundInput = SeenVersion.extend({ order_product_id: z.string().min(1).max(64) });
/** POST /admin/orders/resend: several together. */
export const ResendOrdersInput = z.object({
  order_ids: z.array(z.string().min(1).max(64)).min(1).max(50),
});
export const OrdersResent = z.object({ resent: z.int(), failed: z.array(z.string()) });
export type OrdersResent = z.output<typeof OrdersResent>;
