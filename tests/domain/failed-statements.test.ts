import { inspect } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { users } from "@/db/schema/accounts";
import { serializeError } from "@/lib/platform/serialize-error";

afterAll(closeDatabase);

const thrownBy = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => expect.fail("this succeeds"),
    (error: unknown) => error,
  );

/** What console.error prints of it, alone and as the cause of another, and what the log writes. */
const told = (error: unknown) =>
  [
    inspect(error),
    inspect(new Error("the page failed", { cause: error })),
    JSON.stringify(serializeError(error)),
  ].join("\n");

it("a failed statement is told without its values, by the log and by console.error", async () => {
  const { id, email } = await createUser();
  const twice = await thrownBy(
    db
      .insert(users)
      .values({ id, email, username: "n", passwordHash: "$argon2id$x", locale: "en", inviteCode: id }),
  );
  for (const value of [email, "argon2id", id]) {
    expect(told(twice)).not.toContain(value);
    expect(String(twice)).not.toContain(value);
  }
  expect(told(twice)).toMatch(/duplicate key.*23505/s);
  const malformed = await thrownBy(db.execute(sql`select ${email}::text::jsonb`));
  expect(told(malformed)).not.toContain(email);
});
