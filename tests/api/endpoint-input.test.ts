import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase } from "@/db/client";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { call } from "./call";

/** One field of every kind that the contracts use. */
const Everything = z.object({
  refined: z.string().refine((value) => value === "x", "a programmer's remark"),
  text: z.string(),
  short: z.string().max(3),
  long: z.string().min(4),
  filled: z.string().min(1),
  form: z.string().regex(/^a$/),
  email: z.email({ error: "email_invalid" }),
  url: z.url(),
  time: z.iso.datetime(),
  number: z.coerce.number(),
  whole: z.coerce.number().int(),
  low: z.number().max(5),
  high: z.number().min(5),
  step: z.number().multipleOf(5),
  truth: z.boolean(),
  list: z.array(z.string()).max(1),
  entries: z.array(z.string()).min(2),
  object: z.object({ inner: z.number() }),
  strict: z.strictObject({ known: z.string().optional() }),
  choice: z.enum(["red", "blue"]),
  exactly: z.literal("usd"),
  either: z.union([z.string().max(3), z.boolean()]),
  record: z.record(z.string().max(2), z.number()),
});
const everything = endpoint(
  {
    summary: "All",
    access: "public",
    body: Everything,
    query: z.object({ page: z.coerce.number().int().min(1).optional() }),
    result: z.null(),
    errors: [],
  },
  () => null,
);
const WRONG = {
  text: 1,
  short: "long",
  long: "abc",
  filled: "",
  form: "b",
  email: "x",
  url: "x",
  time: "yesterday",
  number: "one",
  whole: 1.5,
  low: 6,
  high: 4,
  step: 4,
  truth: "yes",
  list: ["a", "b"],
  entries: ["a"],
  object: { inner: "x" },
  strict: { unknown: 1 },
  choice: "green",
  exactly: "eur",
  either: 5,
  record: { long: "x" },
  refined: "y",
};
afterAll(closeDatabase);

/** Every fault of the wrong body, by path. */
async function faults(language: string, body: object = WRONG, query = ""): Promise<Record<string, string>> {
  const headers = { "accept-language": language };
  const answer = await call(everything, "/everything", { body, query, headers });
  expect([answer.status, answer.body.data]).toEqual([400, null]);
  return Object.fromEntries((answer.body.errors ?? []).map(({ path, message }) => [path, message]));
}

/** An answer names at most twenty faults. */
const HALVES = [0, 1].map((half) =>
  Object.fromEntries(Object.entries(WRONG).filter((_, i) => i % 2 === half)),
);

describe("what is said of a wrong field", () => {
  it.each(LOCALES)("is a sentence of ours: %s", async (locale) => {
    for (const half of HALVES)
      for (const [path, message] of Object.entries(await faults(locale, half)))
        expect(message, path).not.toMatch(
          /expected|Invalid|Too (big|small)|Unrecognized|programmer|无效输入|無効な入力/,
        );
  });

  it("says what would be right", async () => {
    const some = (names: (keyof typeof WRONG)[]) =>
      faults("en", Object.fromEntries(names.map((name) => [name, WRONG[name]])));
    expect(await some(["text", "short", "long", "filled", "email", "url"])).toMatchObject({
      text: "Please send text here",
      short: "At most 3 characters",
      long: "At least 4 characters",
      filled: "This field is required",
      email: "Please enter a valid email address",
      url: "Please enter a web address, like https://example.com",
    });
    expect(await some(["number", "whole", "low", "high", "truth"])).toMatchObject({
      number: "Please enter a number",
      whole: "Please enter a whole number",
      low: "The highest value is 5",
      high: "The lowest value is 5",
      truth: "Please send true or false here",
    });
    expect(await some(["list", "entries", "object", "strict", "choice", "refined"])).toMatchObject({
      list: "At most 1 entry",
      entries: "At least 2 entries",
      "object.inner": "Please enter a number",
      "strict.unknown": "This field is not known here.",
      choice: "Please choose one of these: red, blue",
      refined: "This value is not valid",
    });
    expect((await faults("ja", { short: "long" })).short).toBe("3文字以内で入力してください");
    expect((await faults("zh", { short: "long" })).short).toBe("最多 3 个字符");
  });
});

describe("a number", () => {
  const priced = endpoint(
    {
      summary: "Priced",
      access: "public",
      body: z.object({ price: z.coerce.number().optional() }),
      query: z.object({ most: z.coerce.number().optional() }),
      result: z.object({ price: z.number().nullable(), most: z.number().nullable() }),
      errors: [],
    },
    ({ body, query }) => ({ price: body.price ?? null, most: query.most ?? null }),
  );
  const ask = async (body: object, query = "") => {
    const answer = await call(priced, "/priced", { body, query });
    return answer.body.data ?? answer.body.errors?.map(({ path, message }) => [path, message]);
  };

  it("may be text; in a query, no text is no number", async () => {
    expect(await ask({ price: "4.5" }, "most=7")).toEqual({ price: 4.5, most: 7 });
    expect(await ask({}, "most=")).toEqual({ price: null, most: null });
    expect(await ask({ price: 0 }, "most=0")).toEqual({ price: 0, most: 0 });
  });

  it.each([[null], [true], [[2]], [{}], ["two"], [""]])("is not %j", async (price) => {
    expect(await ask({ price })).toEqual([["price", "Please enter a number"]]);
  });
});

describe("faults are told together", () => {
  it("an unknown field hides no other, and the query none of the body", async () => {
    const told = await faults("en", { admin: true, text: 1, low: 6 }, "page=0&sort=up");
    expect(told).toMatchObject({
      admin: "This field is not known here.",
      sort: "This field is not known here.",
      page: "The lowest value is 1",
      text: "Please send text here",
      low: "The highest value is 5",
      short: "This field is required",
    });
  });

  const json = { "content-type": "application/json" };
  const unread: [string, BodyInit, Record<string, string>, object][] = [
    ["broken JSON", "{", json, { path: "", message: "The content of the request cannot be read" }],
    ["a list", "[]", json, { path: "", message: "Please send an object here" }],
    [
      "NUL",
      '{"text":"a\\u0000b"}',
      json,
      { path: "text", message: "This contains a character that cannot be stored" },
    ],
    [
      "a deep value",
      `{"object":${"[".repeat(50)}${"]".repeat(50)}}`,
      json,
      { path: "object", message: "This value is nested too deeply" },
    ],
    [
      "half a form",
      "--b",
      { "content-type": "multipart/form-data; boundary=b" },
      { path: "", message: "The content of the request cannot be read" },
    ],
  ];
  it.each(unread)("%s is named in errors like any other fault", async (_, raw, headers, fault) => {
    const { status, body } = await call(everything, "/everything", { raw, headers });
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(body.errors).toEqual([fault]);
  });

  it("and so is a crooked Idempotency-Key", async () => {
    const { body } = await call(everything, "/everything", {
      body: {},
      headers: { "idempotency-key": "a b" },
    });
    expect(body.errors).toEqual([{ path: "Idempotency-Key", message: "This value is not valid" }]);
  });
});
