import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { placeOrder } from "@/lib/orders/placing/commands";
import { env } from "@/lib/platform/env";

/** Postgres tries plans for the very values this often before it may keep one. */
const TRIES = 5;
const ORDERS = TRIES * 6;

type Prepared = { pid: number; statement: string; generic: number; custom: number };

/** What each connection of the pool has prepared, and how often it has planned it. */
async function prepared(): Promise<Prepared[]> {
  const asked = await Promise.all(
    Array.from(
      { length: env().DATABASE_POOL },
      () => client()<Prepared[]>`
        select pg_backend_pid() as pid, statement, generic_plans::int as generic, custom_plans::int as custom
        from pg_prepared_statements, pg_sleep(0.2)`,
    ),
  );
  return asked.flat();
}

afterAll(closeDatabase);

it("no statement of an order is planned again at each order", async () => {
  const { plans } = await createProduct({ plans: [{ type: "month", days: 30, priceCents: 1900 }] });
  const planId = plans[0]!.id;
  await createKeys(planId, 400);
  await client()`analyze keys`; // a large stock is where the guesses go wrong
  for (let made = 0; made < ORDERS; made++) {
    const { id, viewer } = await createSignedInUser();
    await createCartLine(id, planId);
    await placeOrder(viewer, {}, "en");
  }
  const statements = await prepared();
  const taking = statements.filter(({ statement }) => statement.includes("for update skip locked"));
  const runs = taking.map(({ generic, custom }) => generic + custom);
  expect(Math.max(...runs), "one connection took often enough to keep a plan").toBeGreaterThan(TRIES);
  expect(statements.filter(({ custom }) => custom > TRIES)).toEqual([]);
});
