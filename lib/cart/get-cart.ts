import { client } from "@/db/client";
import { lowerPriceAt, PRICE_ENTRIES } from "@/lib/catalog/pricing/rules-history";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { comparisonFields } from "@/lib/catalog/product/rules";
import { MAX_QUANTITY, productImagePath, SELLABLE_KEY, STOCK_COUNTED } from "@/lib/catalog/rules";
import { toOfferView } from "@/lib/payments/refunds/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { type LineRow, lineColumns, lineTables, type PricedCartLine, toPricedLine } from "./cart-lines";
import type { CartItem, CartQuote, CartView, SettleCartInput } from "./contract";

type CartRow = LineRow & {
  addedAt: number;
  redeemBy: string | null;
  slug: string;
  name: string;
  translated: boolean;
  image: string;
  vendor: string;
};

/** The cart with current prices, stock and refund rules (`/cart/list`, docs/product.md#74-cart-and-coupons). */
export async function getCart(viewer: UserViewer, locale: Locale): Promise<CartView> {
  const sql = client();
  const [rows, [time]] = await Promise.all([
    sql<CartRow[]>`
      select ${lineColumns(STOCK_COUNTED)}, ${sql.unsafe(PRICE_ENTRIES)} as history,
        extract(epoch from c.created_at)::float8 * 1000 as "addedAt",
        (select k.redeem_by from keys k where k.plan_id = pl.id and ${sql.unsafe(SELLABLE_KEY)}
          order by k.redeem_by, k.created_at, k.id limit 1) as "redeemBy", p.slug, p.image, p.vendor, coalesce(t.name, translate_product_text(e.name, ${locale})) as name,
        t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated
      from ${lineTables()}
      left join product_texts t on t.product_id = p.id and t.locale = ${locale}
      left join product_texts e on e.product_id = p.id and e.locale = 'en'
      where c.user_id = ${viewer.userId} order by c.created_at, c.id`,
    sql<{ now: string }[]>`select shop_now() as now`,
  ]);
  const now = new Date(time!.now);
  const cart_items = rows.map((row) => toCartItem(row, viewer.userId, now, locale));
  return {
    cart_items,
    total: cart_items.length,
    selected_total: sumLineTotals(cart_items.filter((item) => item.selected)),
    server_time: now.toISOString(),
  };
}

/**
 * A priced quote of the selected lines; nothing is held (`/cart/settle`, docs/product.md#74-cart-and-coupons).
 * @throws ShopError cart_line_unknown, nothing_selected
 */
export async function quoteCart(
  viewer: UserViewer,
  input: SettleCartInput,
  locale: Locale,
): Promise<CartQuote> {
  const { cart_items } = await getCart(viewer, locale);
  const ids = input.cart_ids && new Set(input.cart_ids);
  const items = cart_items.filter((item) => (ids ? ids.has(item.cart_id) : item.selected));
  if (ids && items.length < ids.size) throw new ShopError("cart_line_unknown");
  if (items.length === 0) throw new ShopError("nothing_selected");
  const subtotal = sumLineTotals(items);
  return { cart_items: items, subtotal, discount_amount: 0, final_amount: subtotal, currency: "usd" };
}

function toCartItem(row: CartRow, userId: string, now: Date, locale: Locale): CartItem {
  const line = toPricedLine(row, now);
  const totalCents = line.priceCents * line.quantity;
  const limitedTime = line.deal !== null;
  const addedCents = lowerPriceAt(line.history ?? [], line.addedAt, line.priceCents);
  return {
    cart_id: line.cartId,
    user_id: userId,
    product_id: line.productId,
    vip_id: line.planId,
    quantity: line.quantity,
    selected: line.selected,
    slug: line.slug,
    product_name: line.name,
    product_image: productImagePath(line.productId, line.image),
    language: line.translated ? locale : "en",
    maker: line.vendor,
    pass_type: line.passType,
    vip_type: passLabel({ pass_type: line.passType, duration_days: line.durationDays }, locale),
    duration_days: line.durationDays,
    price: toDecimal(line.priceCents),
    added_price: addedCents === null ? null : toDecimal(addedCents),
    ...comparisonFields(line),
    price_per_day: line.perDayCents === null ? null : toDecimal(line.perDayCents),
    line_total: toDecimal(totalCents),
    stock: line.stock,
    stock_state: line.state,
    purchase_limit: line.purchaseLimit,
    max_quantity: maxQuantity(line),
    releases_at: line.releasesAt?.toISOString() ?? null,
    redeem_by: instant(line.redeemBy),
    deal: line.deal && {
      ends_at: line.deal.endsAt.toISOString(),
      quantity: line.deal.quantity,
      items_left: line.deal.itemsLeft,
    },
    refund: toOfferView({ ...line, paidCents: totalCents, limitedTime }, now),
  };
}

/** The highest quantity allowed now by stock, the plan's purchase limit and MAX_QUANTITY; at least 1. */
function maxQuantity(line: Pick<PricedCartLine, "state" | "stock" | "purchaseLimit" | "alreadyBought">) {
  const stock = line.state === "pre_order" ? MAX_QUANTITY : line.stock;
  const allowed = line.purchaseLimit === null ? MAX_QUANTITY : line.purchaseLimit - line.alreadyBought;
  return Math.max(1, Math.min(MAX_QUANTITY, stock, allowed));
}

const sumLineTotals = (items: CartItem[]) =>
  Math.round(items.reduce((sum, item) => sum + item.line_total * 100, 0)) / 100;
