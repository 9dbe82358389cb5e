import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import type { InsightPageInput, PlanDemandList, ProductSearches } from "@/lib/merchants/insight/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { rowCount } from "@/lib/platform/console/query";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { getPlanDays } from "./get-plan-days";
import { listPlanFigures } from "./list-plan-figures";
import { readDemand } from "./read-demand";

const MAX_SEARCHES = 50;

/**
 * What the page of insight shows; without a chosen plan, the days of the bestselling one.
 * @throws ShopError cursor_invalid
 */
export async function getInsight(
  viewer: MerchantViewer,
  { vip_id, ...input }: InsightPageInput,
  locale: Locale,
) {
  const figures = await listPlanFigures(viewer, input, locale);
  const stock = await readDemand(figures.items.map((row) => row.vip_id));
  const items = figures.items.map(({ views, carts, paid, ...row }) => ({
    ...row,
    ...stock.get(row.vip_id)!.shown,
  }));
  const [best] = [...figures.items].sort((a, b) => b.paid - a.paid || b.views - a.views);
  const planId = vip_id ?? best?.vip_id;
  const plan =
    planId === undefined
      ? null
      : await getPlanDays(viewer, planId, locale).catch((error: unknown) => {
          if (isShopError(error, "product_unknown")) return null;
          throw error;
        });
  const demand: PlanDemandList = { ...figures, items };
  return { days: input.days, figures, demand, searches: await listProductSearches(viewer, locale), plan };
}

/** Searches that show the merchant's products among the first results, the most frequent first. */
export async function listProductSearches(viewer: MerchantViewer, locale: Locale): Promise<ProductSearches> {
  const rows = await reportDb.execute<ProductSearches["items"][number]>(sql`
    select s.product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, s.content, s.searches, s.place
    from (select * from product_searches where merchant_id = ${viewer.merchant.id}
      order by searches desc, product_id desc limit ${rowCount(MAX_SEARCHES)}) s
    left join product_texts t on t.product_id = s.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = s.product_id and e.locale = 'en'
    order by s.searches desc, s.product_id desc, s.content`);
  return { items: [...rows], total: rows.length };
}
