import { z } from "zod";
import type { BillingAddress } from "@/lib/accounts/billing/contract";
import { AddToCartInput, CartIds, PassList } from "@/lib/cart/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { CouponCode } from "@/lib/coupons/contract";
import { CONSENT_SOURCES } from "@/lib/delivery/rules";
import { GiftView } from "@/lib/orders/gifts/contract";
import { LINE_STATES, ORDER_EVENTS, ORDER_STATUSES } from "@/lib/orders/rules";
import { OrderTax } from "@/lib/orders/tax/contract";
import { RefundRequestState, RefundView } from "@/lib/payments/refunds/contract";
import { REDIRECT_METHODS, REFUND_STEPS } from "@/lib/payments/rules";
import {
  ActorFields,
  ContentLanguage,
  EmailAddress,
  Instant,
  Page,
  PageSize,
  Usd,
  UsdParam,
} from "@/lib/platform/api/fields";
import type { Seller } from "@/lib/platform/seller";

const OrderId = z.string().min(1).max(64);

/** The number that people read: year, month, and the running number of the month. */
const OrderNumber = z.string().meta({ example: "PL-2611-0042" });

/** Without ids: the selected lines of the cart. */
export const PlaceOrderInput = z.object({
  ...ActorFields,
  cart_record_ids: CartIds.optional(),
  /** orders one unit of this plan and leaves the cart as it is, instead of ordering lines of the cart */
  vip_id: AddToCartInput.shape.vip_id.optional(),
  /** orders these units of plans and leaves the cart as it is, as `vip_id` does one */
  passes: PassList.optional(),
  coupon_code: CouponCode.optional(),
  /** without `coupon_code`: uses the account's coupon that takes most off, if one applies */
  use_best_coupon: z.boolean().optional(),
  send_email: EmailAddress.optional(),
  /** the total that the buyer was shown, with `use_best_coupon` before the coupon: an order with another one is refused */
  expected_total: UsdParam.optional(),
});
export type PlaceOrderInput = z.output<typeof PlaceOrderInput>;

export const OrderPlaced = z.object({
  order_id: z.string(),
  order_number: OrderNumber,
  final_amount: Usd,
  hold_ends_at: Instant,
});
export type OrderPlaced = z.output<typeof OrderPlaced>;

export const OrderRef = z.object({ ...ActorFields, order_id: OrderId });
export type OrderRef = z.output<typeof OrderRef>;

/** How the codes of an order are delivered (docs/product.md#83-delivery). */
export const DeliveryChoiceFields = {
  /** the codes of refundable lines stay in the library, unrevealed, instead of being mailed */
  keep_in_library: z.boolean().optional(),
  /**
   * immediate delivery: the codes are mailed, and the right of withdrawal ends for each revealed code; false: all codes
   * stay in the library unrevealed
   */
  immediate_delivery: z.boolean().optional(),
};

/** `final_amount` is compared with the server's total, never used. */
export const FreePaymentInput = OrderRef.extend({
  final_amount: UsdParam.optional(),
  ...DeliveryChoiceFields,
});
export type FreePaymentInput = z.output<typeof FreePaymentInput>;

/** The status that the client believes (docs/product.md#42-order-status); the response holds the actual status. */
export const UpdateStatusInput = OrderRef.extend({
  status: z.enum(ORDER_STATUSES),
  transaction_id: z.string().max(255).optional(),
});
export type UpdateStatusInput = z.output<typeof UpdateStatusInput>;

/** `is_verified` is accepted and ignored: only a code verifies an address. */
export const UpdateDeliveryEmailInput = OrderRef.extend({
  send_email: EmailAddress,
  is_verified: z.boolean().optional(),
});
export type UpdateDeliveryEmailInput = z.output<typeof UpdateDeliveryEmailInput>;

export const ListOrdersInput = z.object({ page: Page, size: PageSize });
export type ListOrdersInput = z.output<typeof ListOrdersInput>;

/** Without `coupon_code`: the order's coupon is removed. */
export const ChangeCouponInput = OrderRef.extend({ coupon_code: CouponCode.optional() });
export type ChangeCouponInput = z.output<typeof ChangeCouponInput>;

const OrderCoupon = z.object({ coupon_code: z.string(), title: z.string() });

export const CouponChanged = z.object({
  order_id: z.string(),
  discount_amount: Usd,
  final_amount: Usd,
});
export type CouponChanged = z.output<typeof CouponChanged>;

/** A delivered code, without its text. */
const OrderKey = z.object({
  library_id: z.string(),
  masked_code: z.string(),
  revealed_at: Instant.nullable(),
  /** start of the pass as set by its owner */
  activated_at: Instant.nullable(),
  /** end of the pass; null before its start, and for lifetime passes */
  ends_at: Instant.nullable(),
  /** the code was shown or mailed; an unrevealed one can be given back while the right of withdrawal lasts */
  seen: z.boolean(),
  /** the code stays unrevealed by choice: revealing it is the consent to immediate delivery */
  needs_consent: z.boolean(),
  redeem_by: Instant.nullable(),
});

export const OrderProduct = z.object({
  order_product_id: z.string(),
  product_id: z.int(),
  vip_id: z.int(),
  slug: z.string(),
  product_name: z.string(),
  product_image: z.string(),
  language: ContentLanguage,
  maker: z.string(),
  pass_type: z.enum(PASS_TYPES),
  /** the name of the pass in the reader's language */
  vip_type: z.string(),
  duration_days: z.int().nullable(),
  quantity: z.int(),
  price: Usd,
  /** of an unpaid order: the lower price of one unit when the line came into the cart; null: not lower, or unknown */
  added_price: Usd.nullable(),
  price_per_day: z.number().nullable(),
  /** its part of the order's `added_tax` */
  added_tax: z.number(),
  total: Usd,
  /** units and money of the line that were refunded, or are being refunded */
  refunded_quantity: z.int(),
  refunded_amount: Usd,
  state: z.enum(LINE_STATES),
  /** its codes stay in the library and are not mailed */
  keep_in_library: z.boolean(),
  /** the choice of immediate delivery; false: its codes lie in the library unrevealed; null: not chosen */
  immediate_delivery: z.boolean().nullable(),
  /** when the buyer consented to immediate delivery, and by which act */
  immediate_consent_at: Instant.nullable(),
  consent_source: z.enum(CONSENT_SOURCES).nullable(),
  pre_order: z.boolean(),
  deliver_by: Instant.nullable(),
  /** of an unpaid order: the earliest last day to redeem of the codes that it holds; null: they have none */
  redeem_by: Instant.nullable(),
  refund: RefundView,
  /** the newest refund request of this line */
  refund_request: RefundRequestState.nullable(),
  /** whether `/order/refund/request` would accept the line now */
  can_refund: z.boolean(),
  /** no code of the line was shown or mailed, so the refund is instant; otherwise the vendor confirms first */
  refund_at_once: z.boolean(),
  /**
   * the statutory right of withdrawal concerns the buyer, and holds for a code that is unrevealed or not delivered yet
   */
  withdrawable: z.boolean(),
  /** `open`: delivered, can be reviewed; `written`: reviewed; `none`: cannot be reviewed */
  review: z.enum(["none", "open", "written"]),
  keys: z.array(OrderKey),
});
export type OrderProduct = z.output<typeof OrderProduct>;

export const OrderRefund = z.object({
  /** null: the refund concerns the whole payment */
  order_product_id: z.string().nullable(),
  amount: Usd,
  /** `failed`: all attempts failed, so it is paid by other means */
  step: z.enum(REFUND_STEPS),
  at: Instant,
});
export type OrderRefund = z.output<typeof OrderRefund>;

export const OrderView = z.object({
  order_id: z.string(),
  order_number: OrderNumber,
  user_id: z.string(),
  status: z.enum(ORDER_STATUSES),
  send_email: z.string(),
  /** the last email with codes could not be delivered: they are in the library only */
  email_failed: z.boolean(),
  transaction_id: z.string().nullable(),
  subtotal: Usd,
  discount_amount: Usd,
  /** tax that the total has beside the prices; below zero: taken off them, for a business that owes it itself */
  added_tax: z.number(),
  final_amount: Usd,
  currency: z.literal("usd"),
  /** the coupon that reduces the order; null: none */
  coupon: OrderCoupon.nullable(),
  created_at: Instant,
  paid_at: Instant.nullable(),
  hold_ends_at: Instant,
  /** seconds until the hold ends; 0 when it has ended or the order is not waiting for payment */
  seconds_left: z.int(),
  server_time: Instant,
  /** where the buyer lives, ISO 3166-1 with two letters; null: not known */
  country: z.string().nullable(),
  /** the statutory right of withdrawal applies to the buyer; an unknown country counts by the time zone */
  withdrawal_applies: z.boolean(),
  can_pay: z.boolean(),
  can_cancel: z.boolean(),
  can_delete: z.boolean(),
  /** its buyer cancelled it: a payment that still succeeds is refunded */
  cancel_requested: z.boolean(),
  /** the provider's code of the last failed payment */
  payment_error: z.string().nullable(),
  /** an unpaid order's payment on a page of another provider: it waits there, or for that provider's decision; null: none */
  open_payment: z
    .object({ method: z.enum(REDIRECT_METHODS), state: z.enum(["redirected", "processing"]) })
    .nullable(),
  /** the payment is disputed: codes stay locked and nothing is refunded until the dispute is decided */
  dispute_open: z.boolean(),
  /** the bank returned the payment after a dispute: every line counts as refunded, codes are locked for good */
  dispute_lost: z.boolean(),
  /** the payment is being checked after a warning of its bank: unseen codes stay locked until then */
  payment_checked: z.boolean(),
  /** the whole order is a gift; its codes are not listed unless they returned to the buyer */
  gift: GiftView.nullable(),
  /** refunds, newest first; of a retried refund only the last attempt */
  refunds: z.array(OrderRefund),
  order_products: z.array(OrderProduct),
});
export type OrderView = z.output<typeof OrderView>;

export const OrderDetail = OrderView.extend({
  /** an unpaid order whose codes are delivered immediately only, because its buyer has returned many unrevealed ones */
  immediate_only: z.boolean(),
  /** null: the shop claims no tax, or the order is free */
  tax: OrderTax.nullable(),
  history: z.array(z.object({ event: z.enum(ORDER_EVENTS), status: z.enum(ORDER_STATUSES), at: Instant })),
});
export type OrderDetail = z.output<typeof OrderDetail>;

export const OrderList = z.object({ orders: z.array(OrderView), total: z.int() });
export type OrderList = z.output<typeof OrderList>;

export const OrderStatusView = z.object({ order_id: z.string(), status: z.enum(ORDER_STATUSES) });
export type OrderStatusView = z.output<typeof OrderStatusView>;

export const DeliveryEmailView = z.object({ order_id: z.string(), send_email: z.string() });

export type Receipt = {
  order: OrderDetail;
  /** the buyer's saved addresses, the default first */
  addresses: BillingAddress[];
  /** the payment method as the provider names it; null for a free order or when unknown */
  method: string | null;
  seller: Seller;
};
