import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { IntentView } from "@/lib/platform/stripe/views";
import { idsOf } from "./list-unrecorded-intents";
import type { JournalReport } from "./read-checked-journal";

export type PlanToWithhold = { planId: number; product: string; available: number; why: string };

/**
 * The plans whose keys in stock are withheld. Without a whole journal: all. With one: those of which a payment at the provider
 * bought more than the journal and this database account for, as while keys were being assigned.
 */
export async function findPlansToWithhold(
  journal: JournalReport,
  intents: IntentView[],
): Promise<PlanToWithhold[]> {
  const short = journal.whole ? await findUnaccountedPlans(journal, intents) : "all";
  const condition = short === "all" ? sql`true` : sql`k.plan_id = any(${sql.param([...short])}::int[])`;
  const plans = await db.execute<Omit<PlanToWithhold, "why">>(sql`
    select k.plan_id as "planId", coalesce(t.name, p.slug) as product,
      count(*) filter (where k.state = 'available')::int as available
    from keys k join plans pl on pl.id = k.plan_id join products p on p.id = pl.product_id
    left join product_texts t on t.product_id = p.id and t.locale = 'en'
    where k.state in ('available', 'reserved') and ${condition} group by k.plan_id, t.name, p.slug order by k.plan_id`);
  const why = journal.whole
    ? "a payment since then bought more than the journal names"
    : "the journal is not whole";
  return plans.map((plan) => ({ ...plan, why }));
}

async function findUnaccountedPlans(
  { orders }: JournalReport,
  intents: IntentView[],
): Promise<Set<number> | "all"> {
  const paid = intents.filter(({ state }) => state === "succeeded");
  const handedOut = await countHandedOut(orders, paid);
  const plans = new Set<number>();
  for (const { metadata, items } of paid) {
    if (items === null) return "all"; // of a release that did not say what was bought
    for (const item of items.split(",").filter(Boolean)) {
      const [planId, quantity] = item.split("x").map(Number);
      if ((handedOut.get(`${metadata.orderId} ${planId}`) ?? 0) < quantity!) plans.add(planId!);
    }
  }
  return plans;
}

/** The keys of each paid order and plan that the journal names, or that are assigned here. */
async function countHandedOut(
  journaled: JournalReport["orders"],
  paid: IntentView[],
): Promise<Map<string, number>> {
  const paidOrders = new Set(paid.map(({ metadata }) => metadata.orderId));
  const pairs = [...journaled].flatMap(([key, orders]) =>
    [...orders].filter((order) => paidOrders.has(order)).map((order) => ({ key, order })),
  );
  const rows = await db.execute<{ order: string; planId: number; count: number }>(sql`
    select "order", plan_id as "planId", count(*)::int as count from (
      select j."order", k.plan_id, k.id
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as j(key text, "order" text) join keys k on k.id = j.key
      union
      select l.order_id, l.plan_id, k.id from order_lines l join keys k on k.order_line_id = l.id
      where l.order_id = any(${idsOf(paid, "orderId")}::text[]) and k.assigned_at is not null
    ) handed group by 1, 2`);
  return new Map(rows.map(({ order, planId, count }) => [`${order} ${planId}`, count]));
}
