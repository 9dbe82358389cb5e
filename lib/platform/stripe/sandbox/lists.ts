import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sandboxIntents, sandboxRefunds } from "@/db/schema/sandbox";
import { disputesSince } from "./disputes";
import { intentObject, refundObject } from "./objects";
import { type Answer, badParams, LookBackParams } from "./params";

/** Stripe's lists, the newest first, a page at a time. */
type Params = Record<string, unknown>;
type Table = typeof sandboxIntents | typeof sandboxRefunds;

function conditions(table: Table, since: number | undefined, after: string | undefined): SQL | undefined {
  return and(
    since === undefined ? undefined : sql`${table.createdAt} >= to_timestamp(${since})`,
    after === undefined
      ? undefined
      : sql`(${table.createdAt}, ${table.id}) < (select t.created_at, t.id from ${table} as t where t.id = ${after})`,
  );
}

const page = (url: string, found: unknown[], limit: number): Answer => ({
  status: 200,
  body: { object: "list", data: found.slice(0, limit), has_more: found.length > limit, url },
});

export async function listIntents(params: Params): Promise<Answer> {
  const wish = LookBackParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { created, starting_after: after, limit } = wish.data;
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(conditions(sandboxIntents, created?.gte, after))
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(limit + 1);
  return page("/v1/payment_intents", rows.map(intentObject), limit);
}

export async function listRefunds(params: Params): Promise<Answer> {
  const wish = LookBackParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { created, payment_intent: intentId, starting_after: after, limit } = wish.data;
  const rows = await db
    .select({ refund: getTableColumns(sandboxRefunds), intent: getTableColumns(sandboxIntents) })
    .from(sandboxRefunds)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxRefunds.intentId))
    .where(
      and(
        conditions(sandboxRefunds, created?.gte, after),
        intentId === undefined ? undefined : eq(sandboxRefunds.intentId, intentId),
      ),
    )
    .orderBy(desc(sandboxRefunds.createdAt), desc(sandboxRefunds.id))
    .limit(limit + 1);
  return page(
    "/v1/refunds",
    rows.map(({ refund, intent }) => refundObject(refund, intent)),
    limit,
  );
}

/** So few are contested in a sandbox that all are read and cut here. */
export async function listDisputes(params: Params): Promise<Answer> {
  const wish = LookBackParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { created, starting_after: after, limit } = wish.data;
  const all = await disputesSince(created?.gte ?? 0);
  return page("/v1/disputes", all.slice(all.findIndex(({ id }) => id === after) + 1), limit);
}
