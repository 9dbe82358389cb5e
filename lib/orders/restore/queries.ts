import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { readJournal } from "@/lib/delivery/journal/queries";
import type { JournalEntry } from "@/lib/delivery/journal/rules";
import { errorSummary } from "@/lib/platform/serialize-error";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";

export type JournalReport = {
  /**
   * The orders that each key was handed out with, without those that this database knows: it tells what became of them, as of
   * codes that were given back unseen and are in stock again.
   */
  unknown: Map<string, Set<string>>;
  /** The orders that each key was handed out with. */
  orders: Map<string, Set<string>>;
  entries: number;
  files: number;
  /** Whether it can be relied on to name every key that was handed out. */
  whole: boolean;
  problems: string[];
};

/** How long before the restored moment the journal and this database are compared. Older lines name what both know. */
const OVERLAP_HOURS = 24;

/**
 * Reads the journal of assignments and judges whether it is whole: it can be read, no writer's lines have a gap, and it names
 * what this database has assigned in the day before the restored moment. `lost`: the operator knows that it is not.
 */
export async function readCheckedJournal(since: Date, lost: boolean): Promise<JournalReport> {
  const report: JournalReport = {
    unknown: new Map(),
    orders: new Map(),
    entries: 0,
    files: 0,
    whole: false,
    problems: [],
  };
  try {
    const { entries, files, beganBefore, gaps } = await readJournal(
      new Date(since.getTime() - OVERLAP_HOURS * 3_600_000),
    );
    report.files = files;
    report.entries = entries.length;
    for (const { key, order } of entries)
      report.orders.set(key, (report.orders.get(key) ?? new Set()).add(order));
    report.unknown = await findUnknown(entries);
    report.problems.push(...gaps.map((gap) => `lines are missing: ${gap}`));
    if (entries.length === 0 && !beganBefore) report.problems.push("the journal has no line");
    else {
      // It may have begun within the day.
      const firstLine = beganBefore ? new Date(0).toISOString() : entries.map(({ at }) => at).sort()[0]!;
      report.problems.push(...(await compareOverlap(since, firstLine, report.orders)));
    }
  } catch (error) {
    report.problems.push(`the journal cannot be read: ${errorSummary(error)}`);
  }
  if (lost) report.problems.push("lines are missing, as the operator says");
  report.whole = report.problems.length === 0;
  return report;
}

const ENTRIES_PER_LOOKUP = 5_000;

/** The orders that each key was handed out with after what this database knows of it. */
async function findUnknown(entries: readonly JournalEntry[]): Promise<JournalReport["orders"]> {
  const unknown: JournalReport["orders"] = new Map();
  for (let from = 0; from < entries.length; from += ENTRIES_PER_LOOKUP) {
    const some = JSON.stringify(entries.slice(from, from + ENTRIES_PER_LOOKUP));
    const rows = await db.execute<{ key: string; order: string }>(sql`
      select j.key, j."order" from jsonb_to_recordset(${some}::jsonb) as j(key text, "order" text)
      where not exists (select from key_events e join order_lines l on l.id = e.order_line_id
        where e.key_id = j.key and e.event = 'assigned' and l.order_id = j."order")`);
    for (const { key, order } of rows) unknown.set(key, (unknown.get(key) ?? new Set()).add(order));
  }
  return unknown;
}

async function compareOverlap(
  since: Date,
  firstLine: string,
  journaled: JournalReport["orders"],
): Promise<string[]> {
  const assigned = await db.execute<{ id: string }>(sql`
    select k.id from keys k where k.assigned_at > ${firstLine}::timestamptz
      and k.assigned_at > ${since.toISOString()}::timestamptz - make_interval(hours => ${OVERLAP_HOURS})
      and k.assigned_at < ${since.toISOString()}::timestamptz
      and not exists (select from unjournaled_keys u where u.key_id = k.id)`);
  const missing = assigned.filter(({ id }) => !journaled.has(id)).length;
  return missing > 0
    ? [
        `${missing} of ${assigned.length} keys that were assigned in the day before do not stand in the journal`,
      ]
    : [];
}

/** The keys that the journal names and that are in stock here, or withheld. */
export async function findHandedOutStock(journaled: JournalReport["orders"]): Promise<string[]> {
  const rows = await readUnsold(journaled);
  return rows.filter(({ orderId }) => orderId === null).map(({ id }) => id);
}

/**
 * The keys that an order has here and that were handed out with another one later, because they were given back unseen in
 * between.
 */
export async function findSoldElsewhere(journaled: JournalReport["orders"]): Promise<string[]> {
  const keyIds = [...journaled.keys()];
  const found: string[] = [];
  for (let from = 0; from < keyIds.length; from += KEYS_PER_LOOKUP) {
    const some = sql.param(keyIds.slice(from, from + KEYS_PER_LOOKUP));
    const rows = await db.execute<{ id: string; orderId: string }>(sql`
      select k.id, l.order_id as "orderId" from keys k join order_lines l on l.id = k.order_line_id
      where k.id = any(${some}::text[]) and k.state = 'assigned' order by k.id`);
    found.push(...rows.filter(({ id, orderId }) => !journaled.get(id)!.has(orderId)).map(({ id }) => id));
  }
  return found;
}

const KEYS_PER_LOOKUP = 5_000;

type UnsoldKey = { id: string; orderId: string | null; isPaid: boolean };

async function readUnsold(journaled: JournalReport["orders"]): Promise<UnsoldKey[]> {
  const keyIds = [...journaled.keys()];
  const found: UnsoldKey[] = [];
  for (let from = 0; from < keyIds.length; from += KEYS_PER_LOOKUP) {
    const some = sql.param(keyIds.slice(from, from + KEYS_PER_LOOKUP));
    found.push(
      ...(await db.execute<UnsoldKey>(sql`
        select k.id, o.id as "orderId", coalesce(o.status not in ('pending', 'processingPayment'), false) as "isPaid"
        from keys k left join order_lines l on l.id = k.order_line_id left join orders o on o.id = l.order_id
        where k.id = any(${some}::text[]) and k.state in ('available', 'withheld', 'reserved') order by k.id`)),
    );
  }
  return found;
}

/**
 * What holds keys that may have been handed out, once the provider was asked. `unpaidOrders`: unpaid orders that hold keys
 * which the journal names, or keys of a plan that is withheld, because they may have ended after the restored moment.
 * `misplaced`: keys that a paid order holds and that were handed out with another one.
 */
export async function findDoubtfulHolds(
  journaled: JournalReport["orders"],
  withheldPlanIds: number[],
): Promise<{ unpaidOrders: string[]; misplaced: string[] }> {
  const named = (await readUnsold(journaled)).filter(({ orderId }) => orderId !== null);
  const holding = await db.execute<{ id: string }>(sql`
    select distinct o.id from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.state = 'reserved' and o.status in ('pending', 'processingPayment')
      and k.plan_id = any(${sql.param(withheldPlanIds)}::int[])`);
  const unpaid = named.filter(({ isPaid }) => !isPaid).map(({ orderId }) => orderId!);
  const isMisplaced = ({ id, orderId, isPaid }: UnsoldKey) => isPaid && !journaled.get(id)!.has(orderId!);
  return {
    unpaidOrders: [...new Set([...unpaid, ...holding.map(({ id }) => id)])].sort(),
    misplaced: named.filter(isMisplaced).map(({ id }) => id),
  };
}

/** Payments of the time just before the restored moment are asked for too: their rows may be missing. */
const MARGIN_MS = 3_600_000;

/**
 * The shop's payments at the provider since the restored moment, without those that an earlier check has closed: `all`, those whose order is here and which no payment has
 * recorded (`known`), and those whose order is not (`lost`).
 */
export async function listUnrecordedIntents(
  since: Date,
): Promise<{ all: IntentView[]; known: IntentView[]; lost: IntentView[] }> {
  const all: IntentView[] = [];
  for await (const intent of paymentProvider().intentsSince(new Date(since.getTime() - MARGIN_MS)))
    if (intent.metadata.orderId && intent.metadata.paymentId) all.push(intent);
  const [here] = await db.execute<{
    orders: string[] | null;
    payments: string[] | null;
    closed: string[] | null;
  }>(sql`
    select (select json_agg(id) from orders where id = any(${idsOf(all, "orderId")}::text[])) as orders,
      (select json_agg(id) from payments where id = any(${idsOf(all, "paymentId")}::text[])) as payments,
      (select json_agg(intent_id) from lost_payments) as closed`);
  const has = (ids: string[] | null | undefined) => {
    const set = new Set(ids);
    return (id: string | null) => id !== null && set.has(id);
  };
  const isOrder = has(here?.orders);
  const isPayment = has(here?.payments);
  const isClosed = has(here?.closed);
  return {
    all: all.filter(({ id }) => !isClosed(id)),
    known: all.filter(({ metadata }) => isOrder(metadata.orderId) && !isPayment(metadata.paymentId)),
    lost: all.filter(({ id, metadata }) => !isOrder(metadata.orderId) && !isClosed(id)),
  };
}

const idsOf = (intents: IntentView[], name: "orderId" | "paymentId") =>
  sql.param(intents.map(({ metadata }) => metadata[name]));

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
