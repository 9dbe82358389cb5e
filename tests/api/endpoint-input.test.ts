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

  it("say which values are valid", async () => {
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

describe("lists of fields", () => {
  const listed = endpoint(
    {
      summary: "Listed",
      access: "public",
      body: z.object({
        a: z.array(z.string()).max(50).optional(),
        o: z.object({ t: z.string() }).optional(),
      }),
      params: z.object({ id: z.string() }),
      result: z.object({ a: z.array(z.string()), id: z.string() }),
      errors: [],
    },
    ({ body, params }) => ({ a: body.a ?? [], id: params.id }),
  );
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const send = (raw: BodyInit, headers: Record<string, string>, id = "x") =>
    call(listed, "/listed", { raw, headers, params: { id } });
  const multipart = (count: number) =>
    `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--b--\r\n`;
  const multipartType = { "content-type": 'multipart/form-data; boundary="b"' };

  it("are read in every accepted spelling", async () => {
    for (const raw of ["a=1&a=2", "a[]=1&a[]=2", "a=1&a[]=2", "a=1,2"])
      expect((await send(raw, form)).body.data).toEqual({ a: ["1", "2"], id: "x" });
    expect((await send(multipart(2), multipartType)).body.data.a).toEqual(["1", "1"]);
  });

  it("have at most 100 fields in a form or query, and 1,000 values in a list or JSON", async () => {
    const rejections: [BodyInit, Record<string, string>, number][] = [
      ["a=1&".repeat(100), form, 100],
      [multipart(101), multipartType, 100],
      [`a=${"1,".repeat(1000)}`, form, 1000],
      [JSON.stringify({ a: Array(1000).fill("1") }), { "content-type": "application/json" }, 1000],
    ];
    for (const [raw, headers, limit] of rejections) {
      const { status, body } = await send(raw, headers);
      expect([status, body.code, body.errors]).toEqual([400, "40000", undefined]);
      expect(body.message).toBe(
        `The request has too many fields. At most ${limit.toLocaleString("en")} are accepted.`,
      );
    }
    expect((await send(`${"a=1&".repeat(49)}a=1`, form)).body.data.a).toHaveLength(50);
    expect((await send(multipart(51), multipartType)).body.errors).toEqual([
      { path: "a", message: "At most 50 entries" },
    ]);
    const query = Array(101).fill("source=x").join("&");
    expect((await call(listed, "/listed", { query, body: {}, params: { id: "x" } })).status).toBe(400);
  });

  it.each([
    ["a form", "a=1&".repeat(16_000), form],
    ["a list in a form", `a=${"1,".repeat(32_000)}`, form],
    ["a multipart form", multipart(1200).slice(0, 64_000), multipartType],
    ["a list in JSON", `{"a":[${"0,".repeat(32_000)}0]}`, { "content-type": "application/json" }],
    [
      "an object in JSON",
      `{${Array.from({ length: 6000 }, (_, n) => `"k${n}":1`).join(",")}}`,
      { "content-type": "application/json" },
    ],
  ])("reject %s of 64 kB within milliseconds", async (_, raw, headers) => {
    await send("a=1", form);
    const times: number[] = [];
    // Other work on the machine can only add time, so that one fast round proves it.
    for (let round = 0; round < 5 || (round < 40 && Math.min(...times) >= 50); round += 1) {
      const startedAt = performance.now();
      expect((await send(raw, headers)).status).toBe(400);
      times.push(performance.now() - startedAt);
    }
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it("reject characters that cannot be stored, in the path and in JSON inside a form", async () => {
    expect((await send("a=1", form, "a\u0000b")).body.errors).toEqual([
      { path: "id", message: "This contains a character that cannot be stored" },
    ]);
    expect((await send(`o=${encodeURIComponent('{"t":"\\u0000"}')}`, form)).body.errors).toEqual([
      { path: "o.t", message: "This contains a character that cannot be stored" },
    ]);
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

describe("a body shorter than its announced length", () => {
  const defaults = endpoint(
    {
      summary: "Defaults",
      access: "public",
      body: z.object({ preview: z.boolean().default(false) }),
      result: z.object({ preview: z.boolean() }),
      errors: [],
    },
    ({ body }) => body,
  );
  const post = async (body: string, more: { length?: number; signal?: AbortSignal } = {}) => {
    const { length = body.length, signal } = more;
    const headers = { "content-type": "application/json", "content-length": String(length) };
    const url = "http://localhost:3000/api/v1/defaults";
    const request = new Request(url, { method: "POST", headers, body, ...(signal && { signal }) });
    const response = await defaults(request, { params: Promise.resolve({}) });
    return (await response.json()).code;
  };

  it("is refused, because an empty body would mean the defaults of all fields", async () => {
    expect(await post('{"preview":true}')).toBe("200");
    expect(await post("")).toBe("200");
    expect(await post("", { length: 16 })).toBe("40000");
    expect(await post('{"preview":true}', { length: 40 })).toBe("40000");
  });

  it("is refused when the client has disconnected", async () => {
    expect(await post("", { signal: AbortSignal.abort() })).toBe("40000");
  });
});
