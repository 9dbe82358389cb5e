import { inspect } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { users } from "@/db/schema/accounts";
import { serializeError } from "@/lib/platform/serialize-error";

afterAll(closeDatabase);

const getError = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => expect.fail("the statement succeeded"),
    (error: unknown) => error,
  );

/** The error as printed by console.error, alone and as a cause, and as written to the log. */
const formatError = (error: unknown) =>
  [
    inspect(error),
    inspect(new Error("outer error", { cause: error })),
    JSON.stringify(serializeError(error)),
  ].join("\n");

it("the log and console.error print a failed statement without its values", async () => {
  const { id, email } = await createUser();
  const duplicateError = await getError(
    db
      .insert(users)
      .values({ id, email, username: "n", passwordHash: "$argon2id$x", locale: "en", inviteCode: id }),
  );
  for (const value of [email, "argon2id", id]) {
    expect(formatError(duplicateError)).not.toContain(value);
    expect(String(duplicateError)).not.toContain(value);
  }
  expect(formatError(duplicateError)).toMatch(/duplicate key.*23505/s);
  const castError = await getError(db.execute(sql`select ${email}::text::jsonb`));
  expect(formatError(castError)).not.toContain(email);
});
