import { and, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type {
  sandboxDisputes,
  sandboxFraudWarnings,
  sandboxIntents,
  sandboxPayouts,
  sandboxRefunds,
  sandboxReviews,
  sandboxTransfers,
} from "@/db/schema/sandbox";
import { Limit, Seconds } from "./http";

/** Stripe's lists: the newest first, one page at a time. */
export const ListParams = z.strictObject({
  created: z.strictObject({ gte: Seconds }).optional(),
  payment_intent: z.string().optional(),
  starting_after: z.string().optional(),
  limit: Limit,
});

type Listed =
  | typeof sandboxIntents
  | typeof sandboxRefunds
  | typeof sandboxDisputes
  | typeof sandboxFraudWarnings
  | typeof sandboxReviews
  | typeof sandboxTransfers
  | typeof sandboxPayouts;

export const listConditions = (
  table: Listed,
  { created, starting_after: after }: Pick<z.output<typeof ListParams>, "created" | "starting_after">,
): SQL | undefined =>
  and(
    created && sql`${table.createdAt} >= to_timestamp(${created.gte})`,
    after === undefined
      ? undefined
      : sql`(${table.createdAt}, ${table.id}) < (select t.created_at, t.id from ${table} as t where t.id = ${after})`,
  );

/** `objects` has one entry more than the limit if there is another page. */
export const listObject = (url: string, objects: object[], limit: number) => ({
  object: "list",
  data: objects.slice(0, limit),
  has_more: objects.length > limit,
  url,
});
