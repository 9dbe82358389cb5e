import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { reason } from "@/lib/platform/error-messages";
import type { ImportError, ProductRecord } from "./contract";
import { planKind } from "./rules-line";
import { jsonSql, type ProductChange } from "./store-plans";

/**
 * The lines that list something new, a product or a pass, of a merchant whose trader file is incomplete
 * (docs/product.md#1412-trader-file). A merchant's own change is checked where it is proposed and approved.
 */
export async function refuseUnlisted(
  tx: Tx,
  changes: readonly ProductChange[],
  previousRecords: ReadonlyMap<number, ProductRecord>,
): Promise<Map<ProductChange, ImportError>> {
  const added = changes.filter(({ id, parsed: { value } }) => {
    const before = previousRecords.get(id)?.plans.map(planKind);
    return before === undefined || value.plans.some((plan) => !before.includes(planKind(plan)));
  });
  if (added.length === 0) return new Map();
  const lines = added.map(({ parsed: { value } }) => ({ slug: value.slug, vendor: value.vendor }));
  const rows = await tx.execute<{ slug: string }>(sql`
    select x.slug from jsonb_to_recordset(${jsonSql(lines)}) as x(slug text, vendor text)
    left join products p on p.slug = x.slug
    join merchants m on m.id = coalesce(p.merchant_id, (select v.id from merchants v where v.handle = vendor_slug(x.vendor)))
    join merchant_trade_files f on f.merchant_id = m.id and f.required_at is not null and f.state = 'incomplete'`);
  const refused = new Set(rows.map(({ slug }) => slug));
  return new Map(
    added.flatMap((change) =>
      refused.has(change.parsed.value.slug)
        ? [
            [
              change,
              { line: change.parsed.line, path: "vendor", ...reason("trade_file_incomplete") },
            ] as const,
          ]
        : [],
    ),
  );
}
