import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { pausePlan } from "@/lib/merchants/changes/pause-plan";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { errorMessage } from "@/lib/platform/error-messages";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { runInBackground } from "@/lib/platform/request-scope";
import type { PausePlansInput, PlanList, PlansPaused } from "./contract";

/** Plans that the screen lists. */
const LISTED = 1_000;

/**
 * Takes plans off sale one by one, or puts them back (`pausePlan`). A plan that is rejected does not affect the others.
 */
export async function pausePlans(
  viewer: MerchantViewer,
  { vip_ids, paused }: PausePlansInput,
  locale: Locale,
): Promise<PlansPaused> {
  const result: PlansPaused = { changed: 0, unchanged: 0, refused: [] };
  const before = await readPaused(viewer, vip_ids);
  await runInBackground(async () => {
    for (const vip_id of new Set(vip_ids)) {
      try {
        await pausePlan(viewer, vip_id, { paused, locale });
        result[before.get(vip_id) === paused ? "unchanged" : "changed"] += 1;
      } catch (error) {
        if (!isShopError(error)) throw error;
        const message = error.issues?.[0]?.message ?? errorMessage(error.error, locale, error.params);
        result.refused.push({ vip_id, message });
      }
    }
  });
  return result;
}

/** Which of the merchant's plans are paused. */
async function readPaused(
  { merchant }: MerchantViewer,
  ids: readonly number[],
): Promise<Map<number, boolean>> {
  const rows = await db.execute<{ id: number; paused: boolean }>(sql`
    select pl.id, pl.availability = 'paused' as paused from plans pl join products p on p.id = pl.product_id
    where pl.id = any(${sql.param([...ids])}::int[]) and p.merchant_id = ${merchant.id}`);
  return new Map(rows.map(({ id, paused }) => [id, paused]));
}

/** The merchant's listed plans, the first 1,000. */
export async function listPlans({ merchant }: MerchantViewer, locale: Locale): Promise<PlanList> {
  const items = await db.execute<PlanList["items"][number]>(sql`
    select pl.id as vip_id, coalesce(${productNameSql("p.id", locale)}, p.slug) as product,
      pl.type || coalesce(':' || pl.duration_days, '') as plan, (pl.price_cents / 100.0)::float8 as price,
      pl.availability = 'paused' as paused
    from plans pl join products p on p.id = pl.product_id
    where p.merchant_id = ${merchant.id} and pl.listed order by p.id, pl.position, pl.id limit ${LISTED}`);
  return { items: [...items] };
}
