import { sql } from "drizzle-orm";
import { afterAll, expect, it, vi } from "vitest";
import { closeDatabase, statements, transaction } from "@/db/client";

afterAll(closeDatabase);

it("a transaction is completed before the database is closed", async () => {
  const order: string[] = [];
  let closing: Promise<void> | undefined;
  await transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    closing = closeDatabase().then(() => void order.push("closed"));
    await tx.execute(sql`select 1`);
    order.push("in transaction");
  });
  await closing;
  expect(order).toEqual(["in transaction", "closed"]);
});

it("hand-written statements run in their transaction, also when the module is loaded twice", async () => {
  vi.resetModules();
  const other = await import("@/db/client");
  expect(other.statements).not.toBe(statements);
  await transaction(async (tx) => {
    const [row] = await tx.execute<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
    const [same] = await other.statements(tx)<{ id: string }[]>`select pg_current_xact_id()::text as id`;
    expect(same).toEqual(row);
  });
  await other.closeDatabase();
});
