import type { PendingQuery, Row } from "postgres";
import { client } from "@/db/client";
import { currentPrice, type Deal, stockState } from "@/lib/catalog/pricing/rules";
import type { PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { AVAILABILITY_NOW, type Availability, type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";

export type LineRow = {
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
export const lineColumns = (maxStock: number): Fragment => {
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
export const lineTables = (lines: Fragment = client()`cart_lines`): Fragment => client()`
    ${lines} c
    join plans pl on pl.id = c.plan_id
    join products p on p.id = c.product_id
    left join deals d on d.plan_id = pl.id and d.ended_at is null`;

export function toPricedLine<Row extends LineRow>({ deal, releasesAt, ...row }: Row, now: Date) {
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
