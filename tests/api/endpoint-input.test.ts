import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase } from "@/db/client";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { call } from "./call";

/** One field of every schema kind that the contracts use. */
const Everything = z.object({
  refined: z.string().refine((value) => value === "x", "a developer's message"),
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

/** The validation messages of an invalid body by path. */
async function validationMessages(
  language: string,
  body: object = WRONG,
  query = "",
): Promise<Record<string, string>> {
  const headers = { "accept-language": language };
  const response = await call(everything, "/everything", { body, query, headers });
  expect([response.status, response.body.data]).toEqual([400, null]);
  return Object.fromEntries((response.body.errors ?? []).map(({ path, message }) => [path, message]));
}

/** Two halves, because a response lists at most twenty errors. */
const HALVES = [0, 1].map((half) =>
  Object.fromEntries(Object.entries(WRONG).filter((_, i) => i % 2 === half)),
);

describe("validation messages", () => {
  it.each(LOCALES)("in %s never come from the schema library", async (locale) => {
    for (const half of HALVES)
      for (const [path, message] of Object.entries(await validationMessages(locale, half)))
        expect(message, path).not.toMatch(
          /expected|Invalid|Too (big|small)|Unrecognized|developer|无效输入|無効な入力/,
        );
  });

  it("say which value is valid", async () => {
    const messagesFor = (names: (keyof typeof WRONG)[]) =>
      validationMessages("en", Object.fromEntries(names.map((name) => [name, WRONG[name]])));
    expect(await messagesFor(["text", "short", "long", "filled", "email", "url"])).toMatchObject({
      text: "Please send text here",
      short: "At most 3 characters",
      long: "At least 4 characters",
      filled: "This field is required",
      email: "Please enter a valid email address",
      url: "Please enter a web address, like https://example.com",
    });
    expect(await messagesFor(["number", "whole", "low", "high", "truth"])).toMatchObject({
      number: "Please enter a number",
      whole: "Please enter a whole number",
      low: "The highest value is 5",
      high: "The lowest value is 5",
      truth: "Please send true or false here",
    });
    expect(await messagesFor(["list", "entries", "object", "strict", "choice", "refined"])).toMatchObject({
      list: "At most 1 entry",
      entries: "At least 2 entries",
      "object.inner": "Please enter a number",
      "strict.unknown": "This field is not known here.",
      choice: "Please choose one of these: red, blue",
      refined: "This value is not valid",
    });
    expect((await validationMessages("ja", { short: "long" })).short).toBe("3文字以内で入力してください");
    expect((await validationMessages("zh", { short: "long" })).short).toBe("最多 3 个字符");
  });
});

describe("number field", () => {
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
  const sendPriced = async (body: object, query = "") => {
    const response = await call(priced, "/priced", { body, query });
    return response.body.data ?? response.body.errors?.map(({ path, message }) => [path, message]);
  };

  it("accepts numeric text; an empty query value counts as absent", async () => {
    expect(await sendPriced({ price: "4.5" }, "most=7")).toEqual({ price: 4.5, most: 7 });
    expect(await sendPriced({}, "most=")).toEqual({ price: null, most: null });
    expect(await sendPriced({ price: 0 }, "most=0")).toEqual({ price: 0, most: 0 });
  });

  it.each([[null], [true], [[2]], [{}], ["two"], [""]])("rejects %j", async (price) => {
    expect(await sendPriced({ price })).toEqual([["price", "Please enter a number"]]);
  });
});

describe("validation errors", () => {
  it("list unknown fields, query fields and body fields together", async () => {
    const messages = await validationMessages("en", { admin: true, text: 1, low: 6 }, "page=0&sort=up");
    expect(messages).toMatchObject({
      admin: "This field is not known here.",
      sort: "This field is not known here.",
      page: "The lowest value is 1",
      text: "Please send text here",
      low: "The highest value is 5",
      short: "This field is required",
    });
  });

  const json = { "content-type": "application/json" };
  const unreadable: [string, BodyInit, Record<string, string>, object][] = [
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
      "an incomplete form",
      "--b",
      { "content-type": "multipart/form-data; boundary=b" },
      { path: "", message: "The content of the request cannot be read" },
    ],
  ];
  it.each(unreadable)("include %s", async (_, raw, headers, error) => {
    const { status, body } = await call(everything, "/everything", { raw, headers });
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(body.errors).toEqual([error]);
  });

  it("include a malformed Idempotency-Key", async () => {
    const { body } = await call(everything, "/everything", {
      body: {},
      headers: { "idempotency-key": "a b" },
    });
    expect(body.errors).toEqual([{ path: "Idempotency-Key", message: "This value is not valid" }]);
  });
});
