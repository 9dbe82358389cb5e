import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { afterCommit, closeDatabase, db } from "@/db/client";

it("what follows a commit waits for it while the database is being closed, too", async () => {
  const order: string[] = [];
  let closing: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    closing = closeDatabase();
    afterCommit(tx, () => order.push("followed"));
    await tx.execute(sql`select 1`);
    order.push("at work");
  });
  await closing;
  expect(order).toEqual(["at work", "followed"]);
});
