import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createStaff } from "@/db/factories/staff";
import type { Handler } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EmailAddress } from "@/lib/platform/api/fields";
import { staff } from "@/lib/staff/rules";
import { authHeaders, call } from "./call";
import { echo } from "./echo-endpoint";

const mine = endpoint(
  { summary: "Mine", access: "user", result: z.object({ id: z.string() }), errors: [] },
  ({ viewer }) => ({ id: viewer.userId }),
);
const orders = endpoint(
  { summary: "Orders", access: staff("orders.read"), result: z.null(), errors: [] },
  () => null,
);
const people = endpoint(
  {
    summary: "People",
    access: staff("staff.manage", { reauthenticated: true }),
    result: z.null(),
    errors: [],
  },
  () => null,
);

let user: SignedInUser;
beforeAll(async () => {
  user = await createSignedInUser();
});
afterAll(closeDatabase);

describe("authentication", () => {
  it("prefers the bearer token to the cookie", async () => {
    const other = await createSignedInUser();
    const both = { authorization: user.bearer, cookie: other.cookie };
    expect((await call(mine, "/mine", { headers: both })).body.data.id).toBe(user.id);
    expect((await call(mine, "/mine", { headers: { cookie: other.cookie } })).body.data.id).toBe(other.id);
  });

  it("responds 401 without a session, with an invalid bearer token and with a forged cookie", async () => {
    const invalidHeaders = [
      {},
      { authorization: "Bearer a.b.c" },
      { cookie: "next-auth.session-token=a.b.c.d.e" },
    ];
    for (const headers of invalidHeaders) {
      const { status, body } = await call(mine, "/mine", { headers: headers as Record<string, string> });
      expect([status, body.code]).toEqual([401, "401"]);
    }
  });

  it("treats an invalid bearer token on a public call as a guest", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { authorization: "Bearer a.b.c" },
    });
    expect(body.data.who).toBe("guest");
  });

  it("allows only staff with the factor, the permission and a recent reauthentication to use staff calls", async () => {
    const codeOf = async (handler: Handler, person?: { bearer: string }) =>
      (await call(handler, "/admin/x", { headers: authHeaders(person) })).body.code;
    expect(await codeOf(orders)).toBe("401");
    expect(await codeOf(orders, user)).toBe("40400");
    expect(await codeOf(orders, await createSignedInUser({ role: "staff" }))).toBe("40400");
    expect(await codeOf(orders, await createStaff({ entered: false }))).toBe("40314");
    const support = await createStaff({ roles: ["support"] });
    expect(await codeOf(orders, support)).toBe("200");
    expect(await codeOf(people, support)).toBe("40300");
    const admin = await createStaff();
    expect(await codeOf(people, admin)).toBe("200");
    await db.execute(sql`update sessions set staff_reauthenticated_at = shop_now() - interval '16 minutes'
      where id = ${admin.viewer.sessionId}`);
    expect(await codeOf(people, admin)).toBe("40312");
  });
});

describe("actor fields", () => {
  const callWithFields = (fields: object, headers: Record<string, string> = { authorization: user.bearer }) =>
    call(echo, "/identity", { body: { n: 1, ...fields }, headers });

  it("may be absent, empty or the user's own id", async () => {
    for (const fields of [
      {},
      { user_id: "" },
      { update_user_id: null },
      { user_id: user.id, create_user_id: user.id },
    ])
      expect((await callWithFields(fields)).status).toBe(200);
    expect((await callWithFields({ user_id: "guest" }, {})).status).toBe(200);
  });

  it("of another user are rejected with 40300 and an audit entry", async () => {
    const other = await createSignedInUser();
    expect((await callWithFields({ update_user_id: other.id })).body.code).toBe("40300");
    const rows = await client()`select actor, subject, detail from audit_entries
      where action = 'identity.foreign' and actor = ${user.id}`;
    expect(rows).toMatchObject([
      { actor: user.id, subject: "/api/v1/identity", detail: { field: "update_user_id", claimed: other.id } },
    ]);
    expect((await callWithFields({ user_id: other.id }, {})).body.code).toBe("40300");
  });

  it("are rejected by a call that does not declare them", async () => {
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

describe("writes authenticated by the cookie", () => {
  const write = (headers: Record<string, string>, options: object = { body: { n: 1 } }) =>
    call(echo, "/echo", { ...options, headers: { cookie: user.cookie, ...headers } });

  it("are accepted from this origin", async () => {
    expect((await write({ origin: "http://localhost:3000", "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
    const behind = { host: "shop.example", "x-forwarded-proto": "https" };
    expect((await write({ ...behind, origin: "https://shop.example" })).status).toBe(200);
    expect((await write({})).status).toBe(200); // a client other than a browser sends no origin
  });

  it("are rejected from another origin", async () => {
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "https://localhost:3000" },
      { origin: "https://shop.example", host: "shop.example" },
      { origin: "http://shop.example", host: "shop.example", "x-forwarded-proto": "https" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://localhost:3001", "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const { status, body } = await write(headers);
      expect([status, body.code]).toEqual([403, "40310"]);
    }
  });

  it("are rejected as a form", async () => {
    expect((await write({}, { raw: new URLSearchParams("n=1") })).body.code).toBe("415");
  });

  it("are rejected from another origin for guests too, so that no page can sign a visitor in", async () => {
    const { body } = await call(echo, "/echo", {
      body: { n: 1 },
      headers: { origin: "https://evil.example" },
    });
    expect(body.code).toBe("40310");
  });

  it("accept a bearer token from any origin, also as a form", async () => {
    const headers = { authorization: user.bearer, origin: "https://partner.example" };
    const { body } = await call(echo, "/echo", { raw: new URLSearchParams("n=1"), headers });
    expect(body.data.who).toBe(user.id);
  });
});
