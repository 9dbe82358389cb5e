import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { rowCount } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { CommissionRule, CommissionRuleList } from "./contract-commission";

const MAX_LISTED = 500;

type Row = Omit<CommissionRule, "percent" | "fixed"> & { bps: number; fixed_cents: number };

/** The newest 500 rules of commission, those that count before the replaced ones, the most specific first. */
export async function listCommissionRules(): Promise<CommissionRuleList> {
  const rows = await db.execute<Row>(sql`
    select r.id as rule_id, m.handle as merchant, m.name as merchant_name, r.category, r.pass_type, r.bps, r.fixed_cents,
      r.valid_from, coalesce((select u.email from users u where u.id = r.created_by), r.created_by) as created_by,
      r.valid_from <= shop_now() and not exists (select from commission_rules n
        where n.merchant_id is not distinct from r.merchant_id and n.category is not distinct from r.category
          and n.pass_type is not distinct from r.pass_type and n.valid_from <= shop_now()
          and (n.valid_from, n.created_at, n.id) > (r.valid_from, r.created_at, r.id)) as current
    from (select * from commission_rules order by created_at desc, id limit ${rowCount(MAX_LISTED)}) r
    left join merchants m on m.id = r.merchant_id
    order by current desc, r.merchant_id is not null desc, r.category is not null desc, r.pass_type is not null desc,
      m.name, r.category, r.pass_type, r.valid_from desc, r.id`);
  const items = rows.map(({ bps, fixed_cents, ...row }) => ({
    ...row,
    percent: bps / 100,
    fixed: toDecimal(fixed_cents),
    valid_from: instant(row.valid_from),
  }));
  return { items, total: items.length };
}
