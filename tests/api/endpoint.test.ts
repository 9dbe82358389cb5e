import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { endpoint, rawEndpoint } from "@/lib/platform/api/endpoint";
import { ActorFields } from "@/lib/platform/api/fields";
import { ShopError } from "@/lib/platform/errors";
import { call } from "./call";

const echo = endpoint(
  {
    summary: "Echo",
    access: "public",
    body: z.object({
      ...ActorFields,
      n: z.number(),
      deep: z.unknown().optional(),
      tags: z.array(z.string()).optional(),
    }),
    result: z.object({ n: z.number(), who: z.string(), tags: z.array(z.string()).optional() }),
    errors: ["sold_out"],
  },
  ({ body, viewer }) => {
    if (body.n === 409) throw new ShopError("sold_out");
    if (body.n === 500) throw new Error("the password is hunter2");
    const who = viewer.kind === "user" ? viewer.userId : "guest";
    return { n: body.n, who, tags: body.tags, secret: "stripped" };
  },
);
const _mine = endpoint(
  { summary: "Mine", access: "user", result: z.object({ id: z.string() }), errors: [] },
  ({ viewer }) => ({ id: viewer.userId }),
);
const _staff = endpoint({ summary: "Staff", access: "staff", result: z.null(), errors: [] }, () => null);

let _user: SignedInUser;
beforeAll(async () => {
  _user = await createSignedInUser();
});
afterAll(closeDatabase);

describe("the envelope", () => {
  it("wraps a success, strips what the result does not name, and is kept by no cache", async () => {
    const { status, headers, body } = await call(echo, "/echo", { body: { n: 1 } });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: "200",
      state: 0,
      success: true,
      message: "Done",
      data: { n: 1, who: "guest" },
    });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,64}$/);
  });

  it("wraps a refusal: status from the code's first three digits, state as number", async () => {
    const { status, body } = await call(echo, "/echo", { body: { n: 409 } });
    expect(status).toBe(409);
    expect(body).toEqual({
      code: "409",
      state: 409,
      success: false,
      message: "This item is sold out.",
      data: null,
    });
  });

  it("hides what went wrong inside", async () => {
    const { status, body } = await call(echo, "/echo", { body: { n: 500 } });
    expect(status).toBe(500);
    expect(body.message).toBe("System error, please try again later");
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  it("keeps a sane request id and replaces another", async () => {
    const kept = await call(echo, "/echo", { body: { n: 1 }, headers: { "x-request-id": "abc-123-def" } });
    expect(kept.headers.get("x-request-id")).toBe("abc-123-def");
    const other = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { "x-request-id": "no spaces please" },
    });
    expect(other.headers.get("x-request-id")).not.toBe("no spaces please");
  });
});

describe("the input", () => {
  const refused = [
    ["an unknown field", { body: { n: 1, admin: true } }, "40000", 400],
    ["an unknown query", { body: { n: 1 }, query: "page=2" }, "40000", 400],
    ["a wrong type", { body: { n: "one" } }, "40000", 400],
    ["broken JSON", { raw: "{", headers: { "content-type": "application/json" } }, "40000", 400],
    ["a JSON list", { raw: "[]", headers: { "content-type": "application/json" } }, "40000", 400],
    ["text", { raw: "n=1", headers: { "content-type": "text/plain" } }, "415", 415],
    [
      "bytes that are no text",
      { raw: new Uint8Array([123, 255, 125]), headers: { "content-type": "application/json" } },
      "40000",
      400,
    ],
    ["a null character", { body: { n: 1, deep: "a\u0000b" } }, "40000", 400],
    [
      "__proto__",
      { raw: '{"n":1,"__proto__":{"n":2}}', headers: { "content-type": "application/json" } },
      "40000",
      400,
    ],
    ["more than 64 KiB", { body: { n: 1, deep: "x".repeat(66_000) } }, "413", 413],
    [
      "a thousand levels",
      {
        raw: `{"n":1,"deep":${"[".repeat(1000)}${"]".repeat(1000)}}`,
        headers: { "content-type": "application/json" },
      },
      "40000",
      400,
    ],
  ] as const;
  it.each(refused)("refuses %s", async (_, sent, code, status) => {
    const answer = await call(echo, "/echo", { method: "POST", ...sent });
    expect([answer.body.code, answer.status]).toEqual([code, status]);
    expect(answer.body.success).toBe(false);
  });

  it("refuses a long body whose length was not announced", async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 70; i++) controller.enqueue(new TextEncoder().encode(" ".repeat(1024)));
        controller.close();
      },
    });
    const request = new Request("http://localhost/api/v1/echo", {
      method: "POST",
      body: chunks,
      headers: { "content-type": "application/json" },
      duplex: "half",
    } as RequestInit);
    expect((await echo(request)).status).toBe(413);
  });

  it("names each wrong field in the reader's language", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1, admin: true },
      headers: { "accept-language": "ja" },
    });
    expect(body.errors).toEqual([{ path: "admin", message: "この項目は指定できません。" }]);
  });

  it("says of a missing field that it is missing, of no other", async () => {
    const errorsOf = async (given: object) => (await call(echo, "/echo", { body: given })).body.errors;
    expect(await errorsOf({})).toEqual([{ path: "n", message: "This field is required" }]);
    expect(JSON.stringify(await errorsOf({ n: "x" }))).not.toContain("required");
  });

  it("lets every call carry its source and language", async () => {
    const carried = { source: "mail", campaign: "a", medium: "b", content: "c", target_lang: "en" };
    expect((await call(echo, "/echo", { body: { n: 1, ...carried } })).status).toBe(200);
    expect(
      (await call(echo, "/echo", { body: { n: 1 }, query: new URLSearchParams(carried).toString() })).status,
    ).toBe(200);
  });

  it("reads forms, with numbers and lists", async () => {
    const form = new URLSearchParams("n=4&tags[]=a&tags[]=b");
    expect((await call(echo, "/echo", { raw: form })).body.data).toEqual({
      n: 4,
      who: "guest",
      tags: ["a", "b"],
    });
    const multi = new FormData();
    multi.set("n", "5");
    expect((await call(echo, "/echo", { raw: multi })).body.data.n).toBe(5);
  });
});

describe("the language", () => {
  const saidIn = async (sent: { query?: string; body?: object; headers?: Record<string, string> }) =>
    (await call(echo, "/echo", { ...sent, body: { n: 409, ...sent.body } })).body.message;

  it("is target_lang, then Accept-Language, then the saved one, then English", async () => {
    const ja = "この商品は売り切れです。";
    const zh = "该商品已售罄。";
    const en = "This item is sold out.";
    const reader = await createSignedInUser({ locale: "ja" });
    expect(await saidIn({ body: { target_lang: "ja" }, headers: { "accept-language": "zh" } })).toBe(ja);
    expect(await saidIn({ query: "target_lang=zh", body: { target_lang: "ja" } })).toBe(zh);
    expect(await saidIn({ headers: { "accept-language": "fr, ja;q=0.5, zh-CN;q=0.9" } })).toBe(zh);
    expect(await saidIn({ headers: { "accept-language": "fr", authorization: reader.bearer } })).toBe(ja);
    expect(await saidIn({ headers: { "accept-language": "en", authorization: reader.bearer } })).toBe(en);
    expect(await saidIn({ headers: { cookie: "locale=zh" } })).toBe(zh);
    expect(await saidIn({ body: { target_lang: "fr" } })).toBe(en);
  });
});

describe("limits", () => {
  const limited = endpoint(
    {
      summary: "Limited",
      access: "public",
      result: z.null(),
      errors: [],
      rate: [{ limit: 3, seconds: 60, by: "ip" }],
    },
    () => null,
  );
  it("refuse the one too many, for that address only, and say how long to wait", async () => {
    const path = `/limited-${Date.now()}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(limited, path, { ip: "192.0.2.7" })),
    );
    expect(answers.filter((a) => a.status === 200)).toHaveLength(3);
    const late = answers.find((a) => a.status === 429);
    expect(late?.body.code).toBe("429");
    expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await call(limited, path, { ip: "192.0.2.8" })).status).toBe(200);
  });
});

describe("a raw call", () => {
  const raw = rawEndpoint(
    { summary: "Raw", result: z.object({ hex: z.string() }), errors: [], limitBytes: 4 },
    ({ body }) => ({
      hex: body.toString("hex"),
    }),
  );
  it("hands over the bytes, up to its limit", async () => {
    expect((await call(raw, "/raw", { raw: new Uint8Array([0, 255]) })).body.data.hex).toBe("00ff");
    expect((await call(raw, "/raw", { raw: new Uint8Array(5) })).status).toBe(413);
  });
});
