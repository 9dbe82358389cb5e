import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { getEditedProduct } from "@/lib/catalog/console/get-edited-product";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { MerchantProduct, PlanPrices } from "./contract";
import { OPEN_CHANGE_STATES, PRODUCT_STATE, SHOP_CHANGE, toShopMark } from "./list-merchant-products";

/** The revision of one of the merchant's products; null: it has no such product. */
export async function findRevision({ merchant }: MerchantViewer, id: number): Promise<number | null> {
  const [row] = await db.execute<{ revision: number }>(
    sql`select revision from products where id = ${id} and merchant_id = ${merchant.id}`,
  );
  return row?.revision ?? null;
}

/** A product of the merchant, for the editor. */
export type OwnProduct = Omit<MerchantProduct, "line" | "earlier_plans"> & {
  line: ProductRecord;
  earlier_plans: ProductRecord["plans"];
};

/** One of the merchant's products with its record. @throws ShopError product_unknown */
export async function getMerchantProduct(
  { merchant }: MerchantViewer,
  id: number,
  locale: Locale,
): Promise<OwnProduct> {
  const [found] = await db.execute<Pick<OwnProduct, "state" | "open_changes" | "shop_change">>(sql`
    select ${PRODUCT_STATE} as state, coalesce((select json_agg(json_build_object('change_id', c.id, 'state', c.state) order by c.created_at desc)
      from product_changes c where c.product_id = p.id and c.state = any(${OPEN_CHANGE_STATES})), '[]') as open_changes,
      ${SHOP_CHANGE} as shop_change
    from products p where p.id = ${id} and p.merchant_id = ${merchant.id}`);
  if (!found) throw new ShopError("product_unknown");
  return {
    ...(await getEditedProduct(id, locale)),
    ...found,
    shop_change: toShopMark(found.shop_change),
    commission: await listCommission(id),
  };
}

/** The shop's commission on each listed plan by the current rules (lib/orders/sales/record-sales.ts). */
async function listCommission(id: number): Promise<OwnProduct["commission"]> {
  const rows = await db.execute<{ plan: string; bps: number; fixed: number }>(sql`
    select pl.type || coalesce(':' || pl.duration_days, '') as plan, c.bps, c.fixed_cents as fixed
    from plans pl join products p on p.id = pl.product_id
    cross join lateral (select r.bps, r.fixed_cents from commission_rules r
      where r.valid_from <= shop_now() and (r.merchant_id is null or r.merchant_id = p.merchant_id)
        and (r.category is null or r.category = p.category) and (r.pass_type is null or r.pass_type = pl.type)
      order by r.merchant_id is not null desc, r.category is not null desc, r.pass_type is not null desc,
        r.valid_from desc, r.created_at desc, r.id desc limit 1) c
    where p.id = ${id} and pl.listed order by pl.position`);
  return rows.map(({ plan, bps, fixed }) => ({ plan, percent: bps / 100, fixed: toDecimal(fixed) }));
}

/** A listed plan of the merchant with the history of its prices. @throws ShopError product_unknown */
export async function getPlanPrices(
  { merchant }: MerchantViewer,
  planId: number,
  locale: Locale,
): Promise<PlanPrices> {
  const [row] = await db.execute<{ id: number }>(sql`
    select p.id from plans pl join products p on p.id = pl.product_id where pl.id = ${planId} and p.merchant_id = ${merchant.id}`);
  const product = row && (await getEditedProduct(row.id, locale));
  const found = product?.plans.find(({ vip_id }) => vip_id === planId);
  if (!product || !found) throw new ShopError("product_unknown");
  const { plan, vip_id, shown, history } = found;
  return { product_id: product.product_id, plan, vip_id, shown, history };
}
