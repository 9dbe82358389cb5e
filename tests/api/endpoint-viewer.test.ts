import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { endpoint } from "@/lib/platform/api/endpoint";
import { ActorFields, EmailAddress } from "@/lib/platform/api/fields";
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
const mine = endpoint(
  { summary: "Mine", access: "user", result: z.object({ id: z.string() }), errors: [] },
  ({ viewer }) => ({ id: viewer.userId }),
);
const staff = endpoint({ summary: "Staff", access: "staff", result: z.null(), errors: [] }, () => null);

let user: SignedInUser;
beforeAll(async () => {
  user = await createSignedInUser();
});
afterAll(closeDatabase);

describe("who asks", () => {
  it("takes the bearer token first, then the cookie", async () => {
    const other = await createSignedInUser();
    const both = { authorization: user.bearer, cookie: other.cookie };
    expect((await call(mine, "/mine", { headers: both })).body.data.id).toBe(user.id);
    expect((await call(mine, "/mine", { headers: { cookie: other.cookie } })).body.data.id).toBe(other.id);
  });

  it("answers 401 without a session, with a dead bearer, and with a forged cookie", async () => {
    const tries = [{}, { authorization: "Bearer a.b.c" }, { cookie: "next-auth.session-token=a.b.c.d.e" }];
    for (const headers of tries) {
      const { status, body } = await call(mine, "/mine", { headers: headers as Record<string, string> });
      expect([status, body.code]).toEqual([401, "401"]);
    }
  });

  it("treats a dead bearer on a public call as a guest", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { authorization: "Bearer a.b.c" },
    });
    expect(body.data.who).toBe("guest");
  });

  it("keeps shoppers out of staff calls", async () => {
    expect((await call(staff, "/staff", { headers: { authorization: user.bearer } })).body.code).toBe(
      "40300",
    );
    const boss = await createSignedInUser({ role: "staff" });
    expect((await call(staff, "/staff", { headers: { authorization: boss.bearer } })).status).toBe(200);
  });
});

describe("identity fields", () => {
  const as = (fields: object, headers: Record<string, string> = { authorization: user.bearer }) =>
    call(echo, "/identity", { body: { n: 1, ...fields }, headers });

  it("takes absent, empty and equal ones", async () => {
    for (const fields of [
      {},
      { user_id: "" },
      { update_user_id: null },
      { user_id: user.id, create_user_id: user.id },
    ])
      expect((await as(fields)).status).toBe(200);
    expect((await as({ user_id: "guest" }, {})).status).toBe(200);
  });

  it("refuses another's with 40300 and an audit row", async () => {
    const other = await createSignedInUser();
    expect((await as({ update_user_id: other.id })).body.code).toBe("40300");
    const rows = await client()`select actor, subject, detail from audit_entries
      where action = 'identity.foreign' and actor = ${user.id}`;
    expect(rows).toMatchObject([
      { actor: user.id, subject: "/api/v1/identity", detail: { field: "update_user_id", claimed: other.id } },
    ]);
    expect((await as({ user_id: other.id }, {})).body.code).toBe("40300");
  });

  it("refuses them where the call does not list them", async () => {
    const plain = endpoint(
      {
        summary: "Plain",
        access: "public",
        body: z.object({ email: EmailAddress }),
        result: z.null(),
        errors: [],
      },
      () => null,
    );
    const { body } = await call(plain, "/plain", { body: { email: "a@example.com", user_id: "" } });
    expect(body.errors?.[0]?.path).toBe("user_id");
  });
});

describe("writes that ride on the cookie", () => {
  const write = (headers: Record<string, string>, sent: object = { body: { n: 1 } }) =>
    call(echo, "/echo", { ...sent, headers: { cookie: user.cookie, ...headers } });

  it("pass from our own pages", async () => {
    expect((await write({ origin: "http://localhost:3000", "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
    expect((await write({})).status).toBe(200); // no browser: it names no origin
  });

  it("are refused from another site", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://localhost:3001", "sec-fetch-site": "same-site" },
    ]) {
      const { status, body } = await write(headers as Record<string, string>);
      expect([status, body.code]).toEqual([403, "40310"]);
    }
  });

  it("are refused as a form", async () => {
    expect((await write({}, { raw: new URLSearchParams("n=1") })).body.code).toBe("415");
  });

  it("a foreign page cannot sign a visitor in either", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { origin: "https://evil.example" },
    });
    expect(body.code).toBe("40310");
  });

  it("a bearer token may come from anywhere, as a form too", async () => {
    const headers = { authorization: user.bearer, origin: "https://partner.example" };
    const { body } = await call(echo, "/echo", { raw: new URLSearchParams("n=1"), headers });
    expect(body.data.who).toBe(user.id);
  });
});
