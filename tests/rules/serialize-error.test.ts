import { DrizzleQueryError } from "drizzle-orm";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { log } from "@/lib/platform/log";
import { errorSummary, serializeError } from "@/lib/platform/serialize-error";

const postgresError = (message: string, code: string) =>
  Object.assign(new Error(message), {
    name: "PostgresError",
    code,
    detail: "Key (lower(email))=(ann@example.com) already exists.",
  });
const queryError = (cause: Error) =>
  new DrizzleQueryError('insert into "users" values ($1, $2)', ["ann@example.com", "$argon2id$hash"], cause);
const LEAKS = /ann@|argon2|insert into/;

describe("errorSummary and serializeError", () => {
  it("keep the message and code of the database, not the statement and its values", () => {
    const error = queryError(postgresError('duplicate key violates "users_email"', "23505"));
    expect(error.message).toMatch(LEAKS);
    expect(errorSummary(error)).toBe('PostgresError (23505): duplicate key violates "users_email"');
    expect(JSON.stringify(serializeError(error))).not.toMatch(LEAKS);
  });

  it("unwrap the cause of a failed statement", () => {
    const serialized = serializeError(
      new Error("the order was not placed", { cause: queryError(postgresError("gone", "57P01")) }),
    );
    expect(serialized.cause).toMatchObject({ message: "gone", code: "57P01" });
    expect(JSON.stringify(serialized)).not.toMatch(LEAKS);
  });

  it("remove quoted values and email addresses", () => {
    expect(
      errorSummary(queryError(postgresError('invalid input for type json: "ann@example.com"', "22P02"))),
    ).toBe("PostgresError (22P02): invalid input for type json: …");
    expect(errorSummary(new Error("550 <ann@example.com>: no such user"))).toBe(
      "Error: 550 <[address]>: no such user",
    );
  });

  it("handle values other than errors, and circular causes", () => {
    const error = new Error("");
    error.cause = error;
    expect(errorSummary("broken")).toBe("string: broken");
    expect(errorSummary(error)).toBe("Error: no message");
    expect(JSON.stringify(serializeError(error)).length).toBeLessThan(20_000);
  });
});

describe("log", () => {
  it("serializes errors without values", () => {
    const { err } = Reflect.get(log, pino.symbols.serializersSym) as { err(error: unknown): unknown };
    const serialized = err(queryError(postgresError("gone", "57P01")));
    expect(serialized).toMatchObject({ message: "gone", code: "57P01" });
    expect(JSON.stringify(serialized)).not.toMatch(LEAKS);
  });
});
