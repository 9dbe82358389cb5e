import type { PendingQuery, Row } from "postgres";
import { client, statements, type Tx } from "@/db/client";
import { currentPrice, type Deal, stockState } from "@/lib/catalog/pricing/rules";
import { lowerPriceAt, PRICE_ENTRIES, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { comparisonFields } from "@/lib/catalog/product/rules";
import {
  AVAILABILITY_NOW,
  type Availability,
  MAX_QUANTITY,
  type PassType,
  productImagePath,
  SELLABLE_KEY,
  STOCK_COUNTED,
} from "@/lib/catalog/rules";
import { refundBeforePayment, toRefundView } from "@/lib/payments/refunds/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { CartItem, CartQuote, CartView, SettleCartInput } from "./contract";

type LineRow = {
  now: string;
  cartId: string;
  productId: number;
  planId: number;
  quantity: number;
  selected: boolean;
  passType: PassType;
  durationDays: number | null;
  regularPriceCents: number;
  comparisonPriceCents: number | null;
  purchaseLimit: number | null;
  availability: Availability;
  releasesAt: string | null;
  listed: boolean;
  deal: (Omit<Deal, "endsAt"> & { endsAt: string }) | null;
  history?: PriceEntry[] | null;
  stock: number;
  alreadyBought: number;
};
type CartRow = LineRow & {
  addedAt: number;
  redeemBy: string | null;
  slug: string;
  name: string;
  translated: boolean;
  image: string;
  vendor: string;
};

/** A cart line with everything that an order needs. Money in cents. */
export type PricedCartLine = ReturnType<typeof toPricedLine<LineRow>>;

type Fragment = PendingQuery<Row[]>;

/**
 * SQL: whether the purchase claim `pc` counts for its account: one from before its address was verified does not
 * (docs/product.md#84-free-passes-and-purchase-limits).
 */
export const COUNTED_CLAIM =
  "(pc.email_identity is not null) = (select u.email_verified_at is not null from users u where u.id = pc.user_id)";

/** The columns of a cart line `c` with its current price and stock. Stock is counted up to `maxStock`. */
const lineColumns = (maxStock: number): Fragment => {
  const sql = client();
  return sql`shop_now() as now, c.id as "cartId", c.product_id as "productId", c.plan_id as "planId", c.quantity, c.selected,
      pl.type as "passType", pl.duration_days as "durationDays", pl.price_cents as "regularPriceCents",
      pl.list_price_cents as "comparisonPriceCents", pl.purchase_limit as "purchaseLimit",
      ${sql.unsafe(AVAILABILITY_NOW)} as availability, pl.releases_at as "releasesAt", p.listed and pl.listed as listed,
      case when d.id is not null then json_build_object('id', d.id, 'priceCents', d.price_cents, 'endsAt', d.ends_at,
        'quantity', d.quantity, 'claimed', d.claimed) end as deal,
      (select count(*)::int from (select 1 from keys k where k.plan_id = pl.id and ${sql.unsafe(SELLABLE_KEY)} limit ${maxStock}) s) as stock,
      (select count(*)::int from purchase_claims pc where pc.plan_id = pl.id and pc.user_id = c.user_id
        and ${sql.unsafe(COUNTED_CLAIM)}) as "alreadyBought"`;
};

/** The tables of the lines `c`: those of the cart, or others of the same columns. */
const lineTables = (lines: Fragment = client()`cart_lines`): Fragment => client()`
    ${lines} c
    join plans pl on pl.id = c.plan_id
    join products p on p.id = c.product_id
    left join deals d on d.plan_id = pl.id and d.ended_at is null`;

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

/** An order counts little stock, because reserving the keys decides whether there is enough. */
const STOCK_COUNTED_FOR_ORDER = 10;

/**
 * Locks the lines of an order, so that two orders cannot use the same ones, and returns them with the transaction's
 * time.
 */
export async function lockLinesForOrder(tx: Tx, userId: string, cartIds: string[] | undefined) {
  const sql = statements(tx);
  const idCondition = cartIds ? sql`c.id = any(${cartIds}::text[])` : sql`c.selected`;
  const rows = await sql<LineRow[]>`
    select ${lineColumns(STOCK_COUNTED_FOR_ORDER)} from ${lineTables()}
    where c.user_id = ${userId} and ${idCondition} order by c.created_at, c.id for update of c`;
  const now = new Date(rows[0]?.now ?? 0);
  return { lines: rows.map((row) => toPricedLine(row, now)), now };
}

/** One unit of a plan as the line of an order that leaves the cart as it is ("Buy now"), and the transaction's time. */
export async function priceSinglePass(tx: Tx, userId: string, planId: number) {
  const sql = statements(tx);
  const line = sql`(select '' as id, ${userId}::text as user_id, product_id, id as plan_id, 1 as quantity, true as selected
    from plans where id = ${planId})`;
  const rows = await sql<LineRow[]>`
    select ${lineColumns(STOCK_COUNTED_FOR_ORDER)} from ${lineTables(line)}`;
  const now = new Date(rows[0]?.now ?? 0);
  return { lines: rows.map((row) => toPricedLine(row, now)), now };
}

function toPricedLine<Row extends LineRow>({ deal, releasesAt, ...row }: Row, now: Date) {
  const plan = {
    priceCents: row.regularPriceCents,
    listPriceCents: row.comparisonPriceCents,
    durationDays: row.durationDays,
    deal: deal && { ...deal, endsAt: new Date(deal.endsAt) },
    history: row.history,
  };
  const state = row.listed ? stockState(row) : ("sold_out" as const);
  return {
    ...row,
    ...currentPrice(plan, now, row.quantity),
    state,
    preOrder: state === "pre_order",
    releasesAt: releasesAt === null ? null : new Date(releasesAt),
  };
}

function toCartItem(row: CartRow, userId: string, now: Date, locale: Locale): CartItem {
  const line = toPricedLine(row, now);
  const totalCents = line.priceCents * line.quantity;
  const limitedTime = line.deal !== null;
  const addedCents = lowerPriceAt(line.history ?? [], line.addedAt, line.priceCents);
  const refund = refundBeforePayment({ ...line, paidCents: totalCents, limitedTime }, now);
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
    refund: toRefundView(refund),
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
