import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";

/** Payments from just before the restored moment are requested too, because their rows may be missing. */
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

export const idsOf = (intents: IntentView[], name: "orderId" | "paymentId") =>
  sql.param(intents.map(({ metadata }) => metadata[name]));
