import { z } from "zod";
import { CartIds } from "@/lib/cart/contract";
import { ActorFields, EmailAddress, Instant, Usd } from "@/lib/platform/api/fields";
import { foldCode } from "@/lib/platform/fold-text";
import { CAMPAIGN_KINDS, COUPON_VIEW_STATES } from "./rules";
import type { EarlierOrder } from "./rules-discount";

/** A typed code; case, width, spaces, kinds of hyphens and letters that are not drawn do not matter. */
const couponCode = (error?: "coupon_code_invalid") =>
  z
    .string({ error })
    .max(60, { error })
    .transform((text) => foldCode(text).toUpperCase())
    .pipe(z.string().min(1, { error }).max(40, { error }))
    .meta({ example: "WELCOME-2026" });
export const CouponCode = couponCode();

/** POST /auth/coupon/query (docs/product.md#74-cart-and-coupons): without ids, the selected lines of the cart. */
export const QueryCouponInput = z.object({
  ...ActorFields,
  coupon_code: CouponCode,
  cart_ids: CartIds.optional(),
});
export type QueryCouponInput = z.output<typeof QueryCouponInput>;

/** POST /auth/coupon/bind (docs/product.md#74-cart-and-coupons): an invalid code is a `400` here. */
export const BindCouponInput = z.object({ ...ActorFields, coupon_code: couponCode("coupon_code_invalid") });
export type BindCouponInput = z.output<typeof BindCouponInput>;

export const PreviewCouponInput = z.object({ ...ActorFields, coupon_code: CouponCode });
export type PreviewCouponInput = z.output<typeof PreviewCouponInput>;

/** POST /auth/coupon/send (docs/product.md#85-coupons): mails the viewer's coupon of a running campaign. */
export const SendCouponInput = z.object({
  campaign: z.string().trim().min(1).max(64).meta({ example: "spring" }),
  email: EmailAddress.optional(),
});
export type SendCouponInput = z.output<typeof SendCouponInput>;

export const ListCouponsInput = z.object({ ...ActorFields });

export const CouponView = z.object({
  coupon_code: z.string(),
  title: z.string(),
  kind: z.enum(CAMPAIGN_KINDS),
  state: z.enum(COUPON_VIEW_STATES),
  /** one of the two: dollars off, or percent off */
  amount: Usd.nullable(),
  percent: z.int().nullable(),
  max_discount: Usd.nullable(),
  min_amount: Usd,
  first_order_only: z.boolean(),
  /** it may cover the whole price; others leave the payment provider's least charge to pay */
  free: z.boolean(),
  starts_at: Instant.nullable(),
  expires_at: Instant.nullable(),
  used_at: Instant.nullable(),
  /** an unpaid order holds it */
  held: z.boolean(),
  order_id: z.string().nullable(),
});
export type CouponView = z.output<typeof CouponView>;

/** The coupon that a code would bind; `shared`: a campaign's public code that issues a coupon to each account. */
export const CouponPreview = CouponView.extend({ shared: z.boolean() });
export type CouponPreview = z.output<typeof CouponPreview>;

/** The viewer's coupons for a cart, and the earlier order that rules out first-order coupons. */
export type CartCoupons = { items: CouponView[]; earlier_order: EarlierOrder };

export const CouponList = z.object({ items: z.array(CouponView), total: z.int(), server_time: Instant });
export type CouponList = z.output<typeof CouponList>;

/** The effect of a coupon on the selected lines; `bound`: it is bound to the account. */
export const CouponOffer = z.object({
  coupon_code: z.string(),
  state: z.literal("valid"),
  title: z.string(),
  bound: z.boolean(),
  subtotal: Usd,
  discount_amount: Usd,
  final_amount: Usd,
  min_amount: Usd,
  expires_at: Instant.nullable(),
});
export type CouponOffer = z.output<typeof CouponOffer>;

export const VOUCHER_TYPES = ["daily", "new_user"] as const;
export type VoucherType = (typeof VOUCHER_TYPES)[number];

export const ClaimVoucherInput = z.object({ ...ActorFields, type: z.enum(VOUCHER_TYPES) });
export type ClaimVoucherInput = z.output<typeof ClaimVoucherInput>;

const VOUCHER_STATES = ["available", "claimed", "not_eligible", "unavailable"] as const;

/** A kind of free voucher as the viewer may claim it now. */
export const FreeVoucher = z.object({
  type: z.enum(VOUCHER_TYPES),
  state: z.enum(VOUCHER_STATES),
  amount: Usd,
  min_amount: Usd,
  valid_hours: z.int(),
  /** when the next one can be claimed; null: now, or never */
  next_at: Instant.nullable(),
  coupon: CouponView.nullable(),
});
export type FreeVoucher = z.output<typeof FreeVoucher>;

export const FreeVouchers = z.object({ items: z.array(FreeVoucher), server_time: Instant });
export type FreeVouchers = z.output<typeof FreeVouchers>;
