import { desc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { sandboxDisputes, sandboxIntents } from "@/db/schema/sandbox";
import { notFound, type Params, parseParams } from "./http";
import { ListParams, listConditions, listObject } from "./lists";
import { disputeObject } from "./objects";

/** Stripe's calls about disputes. */
const selectDisputes = () =>
  db
    .select({ dispute: sandboxDisputes, intent: sandboxIntents })
    .from(sandboxDisputes)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxDisputes.intentId));

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
