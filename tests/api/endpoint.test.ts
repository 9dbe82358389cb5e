import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { endpoint, rawEndpoint } from "@/lib/platform/api/endpoint";
import { currentRequest, runRequest } from "@/lib/platform/request-scope";
import { call } from "./call";
import { echo } from "./echo-endpoint";

afterAll(closeDatabase);

describe("envelope", () => {
  it("wraps a success without undeclared fields, and forbids caching", async () => {
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

  it("wraps a rejection: status from the code's first three digits, state as number", async () => {
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

  it("hides the message of an internal error", async () => {
    const { status, body } = await call(echo, "/echo", { body: { n: 500 } });
    expect(status).toBe(500);
    expect(body.message).toBe("System error, please try again later");
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  it("keeps a valid request id and replaces an invalid one", async () => {
    const valid = await call(echo, "/echo", { body: { n: 1 }, headers: { "x-request-id": "abc-123-def" } });
    expect(valid.headers.get("x-request-id")).toBe("abc-123-def");
    const other = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { "x-request-id": "no spaces please" },
    });
    expect(other.headers.get("x-request-id")).not.toBe("no spaces please");
  });
});

describe("a call that takes long", () => {
  it("has the time of a job, as no other call has", async () => {
    const inRequest = async (takesLong: boolean) => {
      const result = z.object({ in_request: z.boolean() });
      const slow = endpoint({ summary: "Slow", access: "public", takesLong, result, errors: [] }, () => ({
        in_request: currentRequest() !== undefined,
      }));
      return (await runRequest({}, () => call(slow, "/slow", { body: {} }))).body.data.in_request;
    };
    expect([await inRequest(true), await inRequest(false)]).toEqual([false, true]);
  });
});

describe("input", () => {
  const invalidInputs = [
    ["an unknown field", { body: { n: 1, admin: true } }, "40000", 400],
    ["an unknown query", { body: { n: 1 }, query: "page=2" }, "40000", 400],
    ["a wrong type", { body: { n: "one" } }, "40000", 400],
    ["broken JSON", { raw: "{", headers: { "content-type": "application/json" } }, "40000", 400],
    ["a JSON list", { raw: "[]", headers: { "content-type": "application/json" } }, "40000", 400],
    ["text", { raw: "n=1", headers: { "content-type": "text/plain" } }, "415", 415],
    [
      "bytes that are not UTF-8",
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
  it.each(invalidInputs)("rejects %s", async (_, options, code, status) => {
    const response = await call(echo, "/echo", { method: "POST", ...options });
    expect([response.body.code, response.status]).toEqual([code, status]);
    expect(response.body.success).toBe(false);
  });

  it("rejects a long body without a content length", async () => {
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

  it("names each invalid field in the request language", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1, admin: true },
      headers: { "accept-language": "ja" },
    });
    expect(body.errors).toEqual([{ path: "admin", message: "この項目は指定できません。" }]);
  });

  it("calls only a missing field required", async () => {
    const getErrors = async (body: object) => (await call(echo, "/echo", { body })).body.errors;
    expect(await getErrors({})).toEqual([{ path: "n", message: "This field is required" }]);
    expect(JSON.stringify(await getErrors({ n: "x" }))).not.toContain("required");
  });

  it("accepts attribution parameters and the language in every call", async () => {
    const attribution = { source: "mail", campaign: "a", medium: "b", content: "c", target_lang: "en" };
    expect((await call(echo, "/echo", { body: { n: 1, ...attribution } })).status).toBe(200);
    expect(
      (await call(echo, "/echo", { body: { n: 1 }, query: new URLSearchParams(attribution).toString() }))
        .status,
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

describe("response language", () => {
  const getMessage = async (options: { query?: string; body?: object; headers?: Record<string, string> }) =>
    (await call(echo, "/echo", { ...options, body: { n: 409, ...options.body } })).body.message;

  it("is target_lang, else Accept-Language, else the saved one, else English", async () => {
    const ja = "この商品は売り切れです。";
    const zh = "该商品已售罄。";
    const en = "This item is sold out.";
    const reader = await createSignedInUser({ locale: "ja" });
    expect(await getMessage({ body: { target_lang: "ja" }, headers: { "accept-language": "zh" } })).toBe(ja);
    expect(await getMessage({ query: "target_lang=zh", body: { target_lang: "ja" } })).toBe(zh);
    expect(await getMessage({ headers: { "accept-language": "fr, ja;q=0.5, zh-CN;q=0.9" } })).toBe(zh);
    expect(await getMessage({ headers: { "accept-language": "fr", authorization: reader.bearer } })).toBe(ja);
    expect(await getMessage({ headers: { "accept-language": "en", authorization: reader.bearer } })).toBe(en);
    expect(await getMessage({ headers: { cookie: "locale=zh" } })).toBe(zh);
    expect(await getMessage({ body: { target_lang: "fr" } })).toBe(en);
  });
});

describe("rate limit", () => {
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
  it("rejects calls above the limit for that IP address only, with Retry-After", async () => {
    const path = `/limited-${Date.now()}`;
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => call(limited, path, { ip: "192.0.2.7" })),
    );
    expect(responses.filter((a) => a.status === 200)).toHaveLength(3);
    const rejected = responses.find((a) => a.status === 429);
    expect(rejected?.body.code).toBe("429");
    expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await call(limited, path, { ip: "192.0.2.8" })).status).toBe(200);
  });
});

describe("raw endpoint", () => {
  const raw = rawEndpoint(
    { summary: "Raw", result: z.object({ hex: z.string() }), errors: [], limitBytes: 4 },
    ({ body }) => ({
      hex: body.toString("hex"),
    }),
  );
  it("passes the bytes to the handler up to its limit", async () => {
    expect((await call(raw, "/raw", { raw: new Uint8Array([0, 255]) })).body.data.hex).toBe("00ff");
    expect((await call(raw, "/raw", { raw: new Uint8Array(5) })).status).toBe(413);
  });
});
