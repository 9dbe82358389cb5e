import { sql } from "drizzle-orm";
import { afterAll, expect, it, vi } from "vitest";
import { afterCommit, closeDatabase, transaction } from "@/db/client";

afterAll(closeDatabase);

it("what follows a commit waits for it while the database is being closed, too", async () => {
  const order: string[] = [];
  let closing: Promise<void> | undefined;
  await transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    closing = closeDatabase();
    afterCommit(tx, () => order.push("followed"));
    await tx.execute(sql`select 1`);
    order.push("at work");
  });
  await closing;
  expect(order).toEqual(["at work", "followed"]);
});

it("what follows a commit waits for it where the bundles hold the module twice, too", async () => {
  vi.resetModules();
  const other = await import("@/db/client");
  expect(other.afterCommit).not.toBe(afterCommit);
  const order: string[] = [];
  await transaction(async (tx) => {
    other.afterCommit(tx, () => order.push("followed"));
    await tx.execute(sql`select 1`);
    order.push("at work");
  });
  expect(order).toEqual(["at work", "followed"]);
  await other.closeDatabase();
});
