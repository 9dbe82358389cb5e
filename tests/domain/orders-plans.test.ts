import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { placeOrder } from "@/lib/orders/placing/commands";
import { env } from "@/lib/platform/env";

/** Postgres makes this many custom plans before it may use a generic one. */
const CUSTOM_PLANS = 5;
const ORDERS = CUSTOM_PLANS * 6;

type PreparedStatement = { pid: number; statement: string; generic: number; custom: number };

/** The prepared statements of each pool connection, and how often each was planned. */
async function listPreparedStatements(): Promise<PreparedStatement[]> {
  const results = await Promise.all(
    Array.from(
      { length: env().DATABASE_POOL },
      () => client()<PreparedStatement[]>`
        select pg_backend_pid() as pid, statement, generic_plans::int as generic, custom_plans::int as custom
        from pg_prepared_statements, pg_sleep(0.2)`,
    ),
  );
  return results.flat();
}

afterAll(closeDatabase);

it("no statement of placing an order is planned at every execution", async () => {
  const { plans } = await createProduct({ plans: [{ type: "month", days: 30, priceCents: 1900 }] });
  const planId = plans[0]!.id;
  await createKeys(planId, 400);
  await client()`analyze keys`; // with a large stock, Postgres estimates wrongly
  for (let count = 0; count < ORDERS; count++) {
    const { id, viewer } = await createSignedInUser();
    await createCartLine(id, planId);
    await placeOrder(viewer, {}, "en");
  }
  const statements = await listPreparedStatements();
  const keyLocks = statements.filter(({ statement }) => statement.includes("for update skip locked"));
  const planCounts = keyLocks.map(({ generic, custom }) => generic + custom);
  expect(Math.max(...planCounts), "one connection ran often enough to use a generic plan").toBeGreaterThan(
    CUSTOM_PLANS,
  );
  expect(statements.filter(({ custom }) => custom > CUSTOM_PLANS)).toEqual([]);
});
