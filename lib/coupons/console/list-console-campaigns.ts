import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type { ConsoleCampaign, ConsoleCampaignList } from "@/lib/coupons/console/contract";
import { COUNTED_COUPONS } from "@/lib/coupons/console/rules";
import { rowCount, versionSql } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

const MAX_LISTED = 200;
/** Campaigns whose coupons one statement counts. */
const COUNTED_CAMPAIGNS = 10;

type CampaignRow = Pick<
  ConsoleCampaign,
  | "campaign"
  | "kind"
  | "title"
  | "coupon_code"
  | "percent"
  | "first_order_only"
  | "free"
  | "enabled"
  | "state"
  | "version"
> & {
  amount_cents: number | null;
  max_discount_cents: number | null;
  minimum_cents: number;
  monthly_budget_cents: number | null;
  promised_cents: number;
  daily_budget_cents: number | null;
  promised_today_cents: number;
  starts_at: string | null;
  ends_at: string | null;
};

export const usdOrNull = (cents: number | null) => (cents === null ? null : toDecimal(cents));

function toCampaign(row: CampaignRow): Omit<ConsoleCampaign, "coupons" | "used"> {
  const {
    amount_cents,
    max_discount_cents,
    minimum_cents,
    monthly_budget_cents,
    promised_cents,
    daily_budget_cents,
    promised_today_cents,
    ...rest
  } = row;
  return {
    ...rest,
    amount: usdOrNull(amount_cents),
    max_discount: usdOrNull(max_discount_cents),
    minimum: toDecimal(minimum_cents),
    monthly_budget: usdOrNull(monthly_budget_cents),
    promised: toDecimal(promised_cents),
    daily_budget: usdOrNull(daily_budget_cents),
    promised_today: toDecimal(promised_today_cents),
    starts_at: instant(row.starts_at),
    ends_at: instant(row.ends_at),
  };
}

/** The coupons of each campaign, given and used, counted to COUNTED_COUPONS in several statements, so that each reads few rows. */
async function countCoupons(ids: readonly string[]): Promise<Map<string, { coupons: number; used: number }>> {
  const counts = new Map<string, { coupons: number; used: number }>();
  for (let start = 0; start < ids.length; start += COUNTED_CAMPAIGNS) {
    const rows = await listDb.execute<{ id: string; coupons: number; used: number }>(sql`
      select g.id,
        (select count(*)::int from (select from coupons c where c.campaign_id = g.id limit ${rowCount(COUNTED_COUPONS)}) given) as coupons,
        (select count(*)::int from (select from coupons c where c.campaign_id = g.id and c.state = 'used' limit ${rowCount(COUNTED_COUPONS)}) used) as used
      from unnest(${sql.param(ids.slice(start, start + COUNTED_CAMPAIGNS))}::text[]) g(id)`);
    for (const { id, ...count } of rows) counts.set(id, count);
  }
  return counts;
}

/** SQL: the version of a campaign `g`: what staff change of it. */
export const CAMPAIGN_VERSION = versionSql(
  sql`g.id, g.enabled, g.free, g.monthly_budget_cents, g.daily_budget_cents, g.minimum_cents`,
);

/** Campaigns for staff: the built-in ones, then the newest. */
export async function listConsoleCampaigns(locale: Locale): Promise<ConsoleCampaignList> {
  const rows = await db.execute<CampaignRow>(sql`
    select g.id as campaign, g.kind, g.title->>${locale} as title, g.code as coupon_code, g.amount_cents, g.percent, g.max_discount_cents,
      g.minimum_cents, g.first_order_only, g.free, g.enabled, g.starts_at, g.ends_at, g.monthly_budget_cents, p.promised_cents,
      g.daily_budget_cents, p.promised_today_cents, ${CAMPAIGN_VERSION} as version,
      case when not g.enabled then 'off' when g.ends_at <= shop_now() then 'ended' when g.starts_at > shop_now() then 'scheduled'
        when p.promised_cents + coalesce(g.amount_cents, g.max_discount_cents, 0) > g.monthly_budget_cents then 'spent'
        when p.promised_today_cents + coalesce(g.amount_cents, g.max_discount_cents, 0) > g.daily_budget_cents then 'spent_today'
        else 'running' end as state
    from campaigns g, lateral (select case when g.budget_month = to_char(shop_now() at time zone 'UTC', 'YYYY-MM')
      then g.promised_cents else 0 end as promised_cents,
      case when g.budget_day = to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD')
      then g.promised_today_cents else 0 end as promised_today_cents) p
    order by g.kind = 'promotion', g.created_at desc, g.id limit ${MAX_LISTED}`);
  const counts = await countCoupons(rows.map(({ campaign }) => campaign));
  const items = rows.map((row) => ({ ...toCampaign(row), ...counts.get(row.campaign)! }));
  return { items, total: rows.length };
}
