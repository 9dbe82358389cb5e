import { sql } from "drizzle-orm";
import { afterAll, expect, it, vi } from "vitest";
import { afterCommit, closeDatabase, transaction } from "@/db/client";

afterAll(closeDatabase);

it("afterCommit callbacks wait for the commit, also while the database is closing", async () => {
  const order: string[] = [];
  let closing: Promise<void> | undefined;
  await transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    closing = closeDatabase();
    afterCommit(tx, () => order.push("after commit"));
    await tx.execute(sql`select 1`);
    order.push("in transaction");
  });
  await closing;
  expect(order).toEqual(["in transaction", "after commit"]);
});

it("afterCommit callbacks wait for the commit, also when the module is loaded twice", async () => {
  vi.resetModules();
  const other = await import("@/db/client");
  expect(other.afterCommit).not.toBe(afterCommit);
  const order: string[] = [];
  await transaction(async (tx) => {
    other.afterCommit(tx, () => order.push("after commit"));
    await tx.execute(sql`select 1`);
    order.push("in transaction");
  });
  expect(order).toEqual(["in transaction", "after commit"]);
  await other.closeDatabase();
});
