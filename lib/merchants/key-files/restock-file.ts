import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { type Cell, csvStream } from "@/lib/platform/console/csv";
import type { Locale } from "@/lib/platform/i18n/locales";
import { listMerchantStock } from "./list-merchant-stock";

/**
 * A file of codes to be filled in and imported: for each plan that needs codes as many lines as are suggested, with product and plan.
 */
export const restockFile = (viewer: MerchantViewer, locale: Locale): ReadableStream<Uint8Array> =>
  csvStream({
    columns: ["product", "plan", "key", "redeem_by"],
    read: async (cursor) => {
      const page = await listMerchantStock(viewer, { cursor }, locale);
      const names = await findNames(page.items.map(({ plan_id }) => plan_id));
      const lines = page.items.flatMap(({ plan_id, suggested }): Cell[][] => {
        const name = names.get(plan_id);
        return name ? Array.from({ length: suggested }, () => [name.slug, name.kind, null, null]) : [];
      });
      return { ...page, items: lines };
    },
  });

/** How a file of codes names these plans. */
async function findNames(planIds: readonly number[]): Promise<Map<number, { slug: string; kind: string }>> {
  const rows = await db.execute<{ id: number; slug: string; kind: string }>(sql`
    select pl.id, p.slug, pl.type || coalesce(':' || pl.duration_days, '') as kind
    from plans pl join products p on p.id = pl.product_id where pl.id = any(${sql.param(planIds)}::int[])`);
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}
