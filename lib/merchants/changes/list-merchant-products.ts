import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/list-console-products";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { MerchantProductList, MerchantProductRow, MerchantProductsInput } from "./contract";
import { BY_SHOP, OPEN_STATES, SHOP_MARK_DAYS } from "./rules";

/** SQL: whether a product `p` is sold, and why not. */
export const PRODUCT_STATE = sql.raw(
  `case when p.listed then 'sold' when p.blocked_reason is not null then 'blocked' else 'unlisted' end`,
);
export const OPEN_CHANGE_STATES = sql`${sql.param([...OPEN_STATES])}::text[]`;

/** SQL: the newest change of the last days that the shop made of a product `p`. */
export const SHOP_CHANGE = sql`(select json_build_object('change_id', c.id, 'at', c.created_at) from product_changes c
  where c.product_id = p.id and c.created_by = ${BY_SHOP} and c.created_at > shop_now() - make_interval(days => ${SHOP_MARK_DAYS})
  order by c.created_at desc limit 1)`;
type ShopMark = MerchantProductRow["shop_change"];
export const toShopMark = (mark: ShopMark): ShopMark => mark && { ...mark, at: instant(mark.at) };

type ProductState = { id: number } & Pick<MerchantProductRow, "state" | "open_change" | "shop_change">;

/** A page of the merchant's products, with capped total. @throws ShopError cursor_invalid */
export async function listMerchantProducts(
  { merchant }: MerchantViewer,
  input: MerchantProductsInput,
  locale: Locale,
): Promise<MerchantProductList> {
  const { cursor, ...filters } = ConsoleProductsInput.parse(input);
  const page = await listConsoleProducts({ cursor, ...filters }, locale, { merchantId: merchant.id });
  const ids = page.items.map(({ product_id }) => product_id);
  const rows = await listDb.execute<ProductState>(sql`
    select p.id, ${PRODUCT_STATE} as state, (select json_build_object('change_id', c.id, 'state', c.state) from product_changes c
      where c.product_id = p.id and c.state = any(${OPEN_CHANGE_STATES}) order by c.created_at desc limit 1) as open_change,
      ${SHOP_CHANGE} as shop_change
    from products p where p.id = any(${sql.param(ids)}::int[]) and p.merchant_id = ${merchant.id}`);
  const states = new Map(
    rows.map(({ id, shop_change, ...row }) => [id, { ...row, shop_change: toShopMark(shop_change) }]),
  );
  return {
    ...page,
    items: page.items.flatMap(({ vendor_slug: _slug, listed: _listed, ...row }) => {
      const state = states.get(row.product_id);
      return state ? [{ ...row, ...state }] : [];
    }),
  };
}
