import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** A campaign in the staff list. Money in cents. */
export type CampaignRow = {
  id: string;
  kind: string;
  title: string;
  code: string | null;
  amountCents: number | null;
  percent: number | null;
  minimumCents: number;
  monthlyBudgetCents: number | null;
  promisedCents: number;
  monthlyCap: number | null;
  enabled: boolean;
  endsAt: string | null;
  coupons: number;
  used: number;
  /** the sum of the discounts of its used coupons */
  discountCents: number;
};

export async function listCampaignsForStaff(): Promise<CampaignRow[]> {
  return db.execute<CampaignRow>(sql`
    select g.id, g.kind, g.title->>'en' as title, g.code, g.amount_cents as "amountCents", g.percent,
      g.minimum_cents as "minimumCents", g.monthly_budget_cents as "monthlyBudgetCents",
      case when g.budget_month = to_char(shop_now() at time zone 'UTC', 'YYYY-MM') then g.promised_cents else 0 end as "promisedCents",
      g.monthly_cap as "monthlyCap", g.enabled, g.ends_at as "endsAt", count(c.id)::int as coupons,
      count(c.id) filter (where c.state = 'used')::int as used,
      coalesce(sum(o.discount_cents) filter (where c.state = 'used'), 0)::int as "discountCents"
    from campaigns g left join coupons c on c.campaign_id = g.id left join orders o on o.id = c.order_id
    group by g.id order by g.created_at, g.id`);
}
