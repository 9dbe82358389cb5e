import { desc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { sandboxDisputes, sandboxIntents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import { commitAndDeliver, recordEvent } from "./events";
import { notFound, type Params, parseParams, stripeId } from "./http";
import { lockIntent } from "./intents";
import { ListParams, listConditions, listObject } from "./lists";
import { type DisputeRow, disputeObject } from "./objects";

/** Disputes: Stripe's calls about them, and the bank that opens and decides one. */
const selectDisputes = () =>
  db
    .select({ dispute: sandboxDisputes, intent: sandboxIntents })
    .from(sandboxDisputes)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxDisputes.intentId));

/**
 * For tests and demos: opens the dispute of a paid intent, or changes its status. Records the event that Stripe sends:
 * created, updated or closed. Returns the dispute's id, or null for an intent that is not paid.
 */
export async function disputeSandboxPayment(
  intentId: string,
  status: DisputeRow["status"],
  reason = "product_not_received",
): Promise<string | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Payments are disputed here in the sandbox only.");
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentId);
    if (intent?.status !== "succeeded") return null;
    const previousCount = await tx.$count(sandboxDisputes, eq(sandboxDisputes.intentId, intentId));
    const [dispute] = await tx
      .insert(sandboxDisputes)
      .values({ id: stripeId("du"), intentId, status, reason })
      .onConflictDoUpdate({ target: sandboxDisputes.intentId, set: { status } })
      .returning();
    const isClosed = status === "won" || status === "lost";
    const change = isClosed ? "closed" : previousCount > 0 ? "updated" : "created";
    await recordEvent(tx, { type: `charge.dispute.${change}`, object: disputeObject(dispute!, intent) });
    return dispute!.id;
  });
}

export async function retrieveDispute(id: string) {
  const [found] = await selectDisputes().where(eq(sandboxDisputes.id, id));
  if (!found) throw notFound(404, "dispute", id, "dispute");
  return disputeObject(found.dispute, found.intent);
}

export async function listDisputes(params: Params): Promise<object> {
  const query = parseParams(ListParams, params);
  const rows = await selectDisputes()
    .where(listConditions(sandboxDisputes, query))
    .orderBy(desc(sandboxDisputes.createdAt), desc(sandboxDisputes.id))
    .limit(query.limit + 1);
  const objects = rows.map(({ dispute, intent }) => disputeObject(dispute, intent));
  return listObject("/v1/disputes", objects, query.limit);
}
