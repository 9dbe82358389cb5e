import { type SQL, sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import {
  type CategoryView,
  ListProductsInput,
  type ProductRange,
  type VendorPage,
} from "@/lib/catalog/contract";
import { productImagePath } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { listCards, toListSelection } from "./list-cards";
import { ART_LIMIT } from "./list-categories";

export type PageInput = Pick<ListProductsInput, "sort" | "page" | "size">;

/** The page of a vendor with a product on sale (`/vendor/{slug}`, docs/product.md#21-pages), or null. */
export async function findVendorPage(
  slug: string,
  input: PageInput,
  locale: Locale,
): Promise<VendorPage | null> {
  const range = await listProductRange(sql`p.vendor_slug = ${slug}`, input, locale);
  const { vendor, ...page } = range;
  return vendor === null ? null : { ...page, vendor, vendor_slug: slug };
}

/** The listed products of a merchant, as the page of a vendor shows its own. */
export async function listMerchantProducts(
  merchantId: string,
  input: PageInput,
  locale: Locale,
): Promise<ProductRange> {
  const { vendor: _, ...page } = await listProductRange(sql`p.merchant_id = ${merchantId}`, input, locale);
  return page;
}

/** A page of the products `p` that fit the condition, with their categories, artwork, and the vendor of the first. */
async function listProductRange(
  condition: SQL,
  input: PageInput,
  locale: Locale,
): Promise<ProductRange & { vendor: string | null }> {
  addCacheTags("list");
  const products = await listCards({
    ...toListSelection(ListProductsInput.parse(input), locale),
    productCondition: sql`and o.product_id in (select p.id from products p where ${condition})`,
  });
  type Row = { vendor: string; id: number; image: string; category: string; name: string };
  const rows = await preparedDb.execute<Row>(sql`
    select p.vendor, p.id, p.image, c.slug as category, coalesce(c.names ->> ${locale}, c.names ->> 'en') as name
    from products p join categories c on c.slug = p.category
    where ${condition} and p.listed
      and exists (select from listing_index o where o.product_id = p.id)
    order by p.sort_num desc, p.id limit ${RANGE_PRODUCTS}`);
  const categories = new Map<string, CategoryView>();
  for (const { category, name } of rows) {
    const total = (categories.get(category)?.total ?? 0) + 1;
    categories.set(category, { category, category_name: name, total });
  }
  return {
    vendor: rows[0]?.vendor ?? null,
    images: rows.slice(0, ART_LIMIT).map(({ id, image }) => productImagePath(id, image)),
    categories: [...categories.values()],
    products,
  };
}

/** Products of a vendor or merchant whose categories its page names. */
const RANGE_PRODUCTS = 1000;
