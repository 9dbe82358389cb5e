import { z } from "zod";
import { ComparisonFields, DealView, StockState } from "@/lib/catalog/contract";
import { MAX_QUANTITY, PASS_TYPES } from "@/lib/catalog/rules";
import { RefundView } from "@/lib/payments/refunds/contract";
import { ActorFields, ContentLanguage, Instant, IntParam, Usd } from "@/lib/platform/api/fields";
import { MAX_CART_LINES } from "./rules";

const Id = IntParam.min(1).max(2_147_483_647);
const Quantity = IntParam.min(1).max(MAX_QUANTITY);
const CartId = z.string().min(1).max(64);
export const CartIds = z.array(CartId).min(1).max(MAX_CART_LINES);

/** Units of plans, each plan once. */
export const PassList = z
  .array(z.object({ vip_id: Id, quantity: Quantity.default(1) }))
  .min(1)
  .max(MAX_CART_LINES)
  .refine((passes) => new Set(passes.map(({ vip_id }) => vip_id)).size === passes.length);

export const AddToCartInput = z.object({
  ...ActorFields,
  product_id: Id,
  vip_id: Id,
  quantity: Quantity.default(1),
});
export type AddToCartInput = z.output<typeof AddToCartInput>;

/** Adds the named plan or the default one, after a login that an add-to-cart caused. */
export const AutoAddToCartInput = z.object({ ...ActorFields, product_id: Id, vip_id: Id.optional() });
export type AutoAddToCartInput = z.output<typeof AutoAddToCartInput>;

export const UpdateCartInput = z.object({
  ...ActorFields,
  cart_id: CartId,
  quantity: Quantity.optional(),
  vip_id: Id.optional(),
  selected: z.boolean().optional(),
});
export type UpdateCartInput = z.output<typeof UpdateCartInput>;

export const DeleteFromCartInput = z.object({ ...ActorFields, cart_id: CartId });
export type DeleteFromCartInput = z.output<typeof DeleteFromCartInput>;

/** Without ids: the selected lines. */
export const SettleCartInput = z.object({ ...ActorFields, cart_ids: CartIds.optional() });
export type SettleCartInput = z.output<typeof SettleCartInput>;

export const CartItem = z.object({
  cart_id: z.string(),
  user_id: z.string(),
  product_id: z.int(),
  vip_id: z.int(),
  quantity: z.int(),
  selected: z.boolean(),
  slug: z.string(),
  product_name: z.string(),
  product_image: z.string(),
  language: ContentLanguage,
  maker: z.string(),
  pass_type: z.enum(PASS_TYPES),
  /** the name of the pass in the reader's language */
  vip_type: z.string(),
  duration_days: z.int().nullable(),
  price: Usd,
  /** the lower price of one unit when the line was added; null: it has not risen since */
  added_price: Usd.nullable(),
  ...ComparisonFields,
  price_per_day: z.number().nullable(),
  line_total: Usd,
  stock: z.int(),
  stock_state: StockState,
  purchase_limit: z.int().nullable(),
  /** the highest quantity allowed now */
  max_quantity: z.int(),
  releases_at: Instant.nullable(),
  /** the earliest last day to redeem of the codes that would be sold; null: they have none */
  redeem_by: Instant.nullable(),
  deal: DealView.nullable(),
  refund: RefundView,
});
export type CartItem = z.output<typeof CartItem>;

export const CartView = z.object({
  cart_items: z.array(CartItem),
  total: z.int(),
  selected_total: Usd,
  server_time: Instant,
});
export type CartView = z.output<typeof CartView>;

export const CartAdded = z.object({ cart_id: z.string(), quantity: z.int(), total: z.int() });
export type CartAdded = z.output<typeof CartAdded>;

export const CartQuote = z.object({
  cart_items: z.array(CartItem),
  subtotal: Usd,
  discount_amount: Usd,
  final_amount: Usd,
  currency: z.literal("usd"),
});
export type CartQuote = z.output<typeof CartQuote>;
