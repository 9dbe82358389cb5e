import { z } from "zod";
import { Country } from "@/lib/accounts/billing/contract";
import { CodeText } from "@/lib/accounts/contract";
import { OrderRef } from "@/lib/orders/contract";
import { RefundView } from "@/lib/payments/refunds/contract";
import { ContentLanguage, EmailAddress, Instant, KnownEmail, Usd } from "@/lib/platform/api/fields";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { WITHDRAWAL_REASONS } from "./rules";

/**
 * `POST /order/withdraw` (docs/product.md#75-orders-and-payment). With a session: {order_id}. Without: {order_id,
 * email} mails a code, {order_id, email, code} verifies it and returns a token that replaces both. `confirm` executes
 * the withdrawal.
 */
export const WithdrawInput = OrderRef.extend({
  email: KnownEmail.pipe(EmailAddress).optional(),
  code: CodeText.optional(),
  token: z.string().max(2000).optional(),
  confirm: z.boolean().optional(),
  /** where the buyer says that they live; what only this country would allow or forbid is decided by staff */
  country: Country.optional(),
  /** absent: all lines that can be withdrawn */
  order_product_ids: z.array(z.string().min(1).max(64)).min(1).max(100).optional(),
});
export type WithdrawInput = z.output<typeof WithdrawInput>;

/**
 * `POST /order/withdraw/declare` (docs/product.md#82-withdrawal): the statutory declaration, recorded immediately. Whether
 * the order exists changes neither the answer nor what is recorded.
 */
export const DeclareInput = z.object({
  name: z.string().trim().min(1).max(120).meta({ example: "Anna Weber" }),
  order_id: z.string().overwrite(foldOrderNumber).min(1).max(64).meta({ example: "PL-2611-0042" }),
  email: KnownEmail.pipe(EmailAddress),
  /** which passes, in the declarant's words; absent or empty: all of the order */
  passes: z.string().trim().max(300).nullish(),
});
export type DeclareInput = z.output<typeof DeclareInput>;

export const Declared = z.object({
  declaration_id: z.string(),
  /** when the first of the declarations that are counted together came, and this one */
  declared_at: Instant,
  received_at: Instant,
  times: z.int(),
  /** opens `GET /order/withdraw/receipt` */
  receipt: z.string(),
  /** whether the receipt is mailed too; above a day's limit it can only be downloaded */
  receipt_mailed: z.boolean(),
  /** `session`: the viewer's own order, no code is needed. `code`: an address that belongs to the order gets one. */
  proof: z.enum(["session", "code"]),
  /** seconds until a code can be asked for again; null with a session */
  resend_after: z.int().nullable(),
});
export type Declared = z.output<typeof Declared>;

/** `GET /order/withdraw/receipt` */
export const DeclarationReceiptQuery = z.object({ receipt: z.string().max(2000) });

export const WithdrawLine = z.object({
  order_product_id: z.string(),
  product_name: z.string(),
  language: ContentLanguage,
  duration_days: z.int().nullable(),
  /** units left, and how many of them can be (or were) withdrawn */
  quantity: z.int(),
  units: z.int(),
  amount: Usd,
  /** units that staff decide about, because another country was stated than the order's, and their amount */
  review_units: z.int(),
  review_amount: Usd,
  /** why not all units; `open`: all units; `review`: staff decide about the rest */
  reason: z.enum(WITHDRAWAL_REASONS),
  /** what the order page says about the line; null once withdrawn */
  refund: RefundView.nullable(),
  /** its sentence, with days in UTC */
  refund_text: z.string(),
});
export type WithdrawLine = z.output<typeof WithdrawLine>;

export const WithdrawView = z.object({
  /** `code_sent`: enter the mailed code. `review`: nothing has happened yet. `done`: withdrawn. */
  step: z.enum(["code_sent", "review", "done"]),
  order_id: z.string(),
  /** replaces the email for half an hour; null with a session */
  token: z.string().nullable(),
  /** seconds until another code can be sent */
  resend_after: z.int().nullable(),
  withdraw_until: Instant.nullable(),
  lines: z.array(WithdrawLine),
  /** the amount that is refunded, or would be */
  refund_amount: Usd,
  /** the amount that staff decide about, or would */
  review_amount: Usd,
  /** the order's country; null: not known */
  country: z.string().nullable(),
  /** the address of the confirmation */
  email: z.string().nullable(),
});
export type WithdrawView = z.output<typeof WithdrawView>;
