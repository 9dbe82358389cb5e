import { z } from "zod";
import { ConsoleReplacement } from "@/lib/delivery/console/contract-replacements";
import { KEY_STATES } from "@/lib/delivery/rules";
import { ConsoleMail } from "@/lib/notifications/console/contract";
import { ConsoleRefund } from "@/lib/orders/console/contract-refunds";
import { OrderProduct } from "@/lib/orders/contract";
import { GIFT_STATES } from "@/lib/orders/gifts/rules";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { REDEMPTIONS } from "@/lib/payments/refunds/rules";
import { LEDGER_ACCOUNTS, PAYMENT_STATES, REFUND_STATES, WARNING_STATES } from "@/lib/payments/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { Version } from "@/lib/platform/console/version";

/** GET /admin/orders/{id}: an order's id or number. */
export const ConsoleOrderParams = z.object({ id: z.string().trim().min(1).max(64) });

/** What happened to an order, in the order of time. */
export const TIMELINE_KINDS = [
  "order",
  "payment",
  "refund",
  "key",
  "email",
  "dispute",
  "warning",
  "review",
  "staff",
  "note",
] as const;
const TimelineEntry = z.object({
  at: Instant,
  kind: z.enum(TIMELINE_KINDS),
  /** what happened, of its kind: `payment_verified`, `revealed`, `refund_failed` … */
  event: z.string(),
  /**
   * what it is about: an id, an amount, the words of a note; an email's event, with `.some` or `.none` when it does not
   * contain all of its codes; of `assigned`, why codes were not mailed: `no_consent`, `by_choice`, `some`, `gift`
   */
  detail: z.string().nullable(),
  /**
   * an address, the name of a merchant's token, `staff:` and a user of the shell, `system`, `shop`, `vendor`, `deadline` …;
   * null: the shop
   */
  actor: z.string().nullable(),
  /** on which a code was shown */
  device: z.string().nullable(),
});
export type TimelineEntry = z.output<typeof TimelineEntry>;

const ConsoleLine = OrderProduct.pick({
  order_product_id: true,
  product_id: true,
  vip_id: true,
  slug: true,
  product_name: true,
  maker: true,
  vip_type: true,
  quantity: true,
  price: true,
  total: true,
  refunded_quantity: true,
  refunded_amount: true,
  state: true,
  keep_in_library: true,
  immediate_delivery: true,
  pre_order: true,
  deliver_by: true,
  refund: true,
  refund_request: true,
  refund_at_once: true,
}).extend({
  /** of what decides about its refund */
  version: Version,
});

/** A code by its reference, with what happened to it. Never its text. */
const ConsoleKey = z.object({
  key_id: z.string(),
  order_product_id: z.string().nullable(),
  slot: z.int().nullable(),
  state: z.enum(KEY_STATES),
  redemption: z.enum(REDEMPTIONS),
  redeem_by: Instant.nullable(),
  assigned_at: Instant.nullable(),
  mailed_at: Instant.nullable(),
  revealed_at: Instant.nullable(),
  activated_at: Instant.nullable(),
  /** of its state; a replacement request names it */
  version: Version,
  /** events of its custody, and those of them that are sealed */
  events: z.int(),
  sealed: z.int(),
});

export const NoteView = z.object({
  note_id: z.string(),
  text: z.string(),
  /** an address */
  written_by: z.string(),
  created_at: Instant,
});
export type NoteView = z.output<typeof NoteView>;

export const ConsoleOrderDetail = z.object({
  order_id: z.string(),
  order_number: z.string(),
  /** of its state; who cancels it names it */
  version: Version,
  status: z.enum(ORDER_STATUSES),
  created_at: Instant,
  paid_at: Instant.nullable(),
  /** until when an unpaid order is held */
  hold_ends_at: Instant,
  /** It is unpaid and unwanted: cancelled when its running payment fails, refunded when it succeeds. */
  cancel_requested: z.boolean(),
  customer: z.object({
    customer_id: z.string(),
    email: z.string(),
    username: z.string(),
    /** the newest five of the account's other orders */
    other_orders: z.array(
      z.object({
        order_number: z.string(),
        status: z.enum(ORDER_STATUSES),
        created_at: Instant,
        final_amount: Usd,
        /** what was returned of it, also what is on its way */
        refunded: Usd,
      }),
    ),
  }),
  /** what waits for a decision of staff; the amounts are those of now */
  requests: z.object({
    refunds: z.array(ConsoleRefund),
    failed_refunds: z.array(ConsoleRefund),
    replacements: z.array(ConsoleReplacement),
  }),
  send_email: z.string(),
  locale: z.string(),
  country: z.string().nullable(),
  came_from: z.string().nullable(),
  subtotal: Usd,
  discount_amount: Usd,
  coupon_code: z.string().nullable(),
  final_amount: Usd,
  /** what staff have returned beyond the refund rule, all of them together */
  goodwill_given: Usd,
  disputed: z.boolean(),
  /** the gift; null: none */
  gift: z
    .object({
      state: z.enum(GIFT_STATES),
      recipient_email: z.string().nullable(),
      /** the account that claimed it */
      claimed_by: z.string().nullable(),
      send_at: Instant,
      claimed_at: Instant.nullable(),
    })
    .nullable(),
  order_products: z.array(ConsoleLine),
  payments: z.array(
    z.object({
      payment_id: z.string(),
      /** the provider's id */
      transaction_id: z.string().nullable(),
      state: z.enum(PAYMENT_STATES),
      amount: Usd,
      method: z.string().nullable(),
      last_error: z.string().nullable(),
      /** its page at the provider; null: in the sandbox, or none yet */
      provider_url: z.string().nullable(),
      created_at: Instant,
      updated_at: Instant,
    }),
  ),
  refunds: z.array(
    z.object({
      refund_id: z.string(),
      order_product_id: z.string().nullable(),
      amount: Usd,
      reason: z.string(),
      state: z.enum(REFUND_STATES),
      provider_id: z.string().nullable(),
      created_at: Instant,
      updated_at: Instant,
    }),
  ),
  disputes: z.array(
    z.object({
      dispute_id: z.string(),
      amount: Usd,
      reason: z.string(),
      status: z.string(),
      is_open: z.boolean(),
      created_at: Instant,
      closed_at: Instant.nullable(),
    }),
  ),
  fraud_warnings: z.array(
    z.object({
      warning_id: z.string(),
      state: z.enum(WARNING_STATES),
      fraud_type: z.string().nullable(),
      created_at: Instant,
      decided_at: Instant.nullable(),
    }),
  ),
  /** the provider's reviews of the payment */
  payment_reviews: z.array(
    z.object({
      review_id: z.string(),
      is_open: z.boolean(),
      reason: z.string(),
      closed_reason: z.string().nullable(),
      created_at: Instant,
      closed_at: Instant.nullable(),
    }),
  ),
  keys: z.array(ConsoleKey),
  mails: z.array(ConsoleMail),
  ledger: z.array(
    z.object({
      transfer_id: z.string(),
      account: z.enum(LEDGER_ACCOUNTS),
      /** US dollars; positive: debit, negative: credit */
      amount: z.number(),
      created_at: Instant,
    }),
  ),
  notes: z.array(NoteView),
  /** the oldest first, at most 1,000 */
  timeline: z.array(TimelineEntry),
});
export type ConsoleOrderDetail = z.output<typeof ConsoleOrderDetail>;
