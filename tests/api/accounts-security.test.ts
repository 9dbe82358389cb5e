import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { POST as remove } from "@/app/api/v1/auth/delete/route";
import { POST as updateEmail } from "@/app/api/v1/auth/email/update/route";
import { POST as exportAccount } from "@/app/api/v1/auth/export/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { GET as getNotifications, POST as setNotifications } from "@/app/api/v1/auth/notifications/route";
import { POST as updatePhone } from "@/app/api/v1/auth/phone/update/route";
import { POST as reauthenticate } from "@/app/api/v1/auth/reauthenticate/route";
import { POST as revoke } from "@/app/api/v1/auth/sessions/revoke/route";
import { GET as getSessions } from "@/app/api/v1/auth/sessions/route";
import { PUT as updateUsername } from "@/app/api/v1/auth/username/update/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import type { Handler } from "@/lib/platform/api/declaration";
import { expireReauthentication, uniqueEmail, withBearer, withCookie } from "./account-steps";
import { type CallOptions, call } from "./call";

afterAll(closeDatabase);

describe("username and phone", () => {
  it("are updated", async () => {
    const user = await createSignedInUser();
    const name = await call(
      updateUsername,
      "/auth/username/update",
      withBearer(user, { new_username: " Mara " }, { method: "PUT" }),
    );
    expect(name.body.data).toEqual({ username: "Mara" });
    const phone = { new_phone: "090-1234-5678", country_code: "JP" };
    expect((await call(updatePhone, "/auth/phone/update", withBearer(user, phone))).body.data).toEqual({
      phone: "+819012345678",
      country_code: "JP",
    });
    expect((await call(getInfo, "/auth/get-info", withBearer(user))).body.data).toMatchObject({
      username: "Mara",
      phone: "+819012345678",
      country_code: "JP",
    });
  });

  it("take the country of a phone number from the language when none is given", async () => {
    const user = await createSignedInUser();
    const save = (target_lang: string) =>
      call(updatePhone, "/auth/phone/update", withBearer(user, { new_phone: "03-1234-5678", target_lang }));
    expect((await save("en")).status).toBe(400);
    expect((await save("ja")).body.data).toEqual({ phone: "+81312345678", country_code: "JP" });
  });

  it("are rejected with the path of the invalid field", async () => {
    const user = await createSignedInUser();
    for (const new_username of ["", "<b>", "x".repeat(61), "a\u202eb"]) {
      const { status, body } = await call(
        updateUsername,
        "/auth/username/update",
        withBearer(user, { new_username }, { method: "PUT" }),
      );
      expect([status, body.errors?.[0]?.path]).toEqual([400, "new_username"]);
    }
    for (const new_phone of ["12", "x".repeat(41)]) {
      const { status, body } = await call(updatePhone, "/auth/phone/update", withBearer(user, { new_phone }));
      expect([status, body.errors?.[0]?.path]).toEqual([400, "new_phone"]);
    }
  });
});

describe("sessions", () => {
  const list = async (user: SignedInUser) =>
    (await call(getSessions, "/auth/sessions", withBearer(user))).body.data;
  const signOut = (user: SignedInUser, body: object) =>
    call(revoke, "/auth/sessions/revoke", withCookie(user, body));

  it("are listed without any secret that authenticates", async () => {
    const user = await createSignedInUser();
    const { items, total } = await list(user);
    expect(total).toBe(1);
    expect(Object.keys(items[0]).sort()).toEqual([
      "created_at",
      "current",
      "device",
      "seen_at",
      "session_id",
    ]);
    for (const header of [`Bearer ${items[0].session_id}`])
      expect((await call(getInfo, "/auth/get-info", { headers: { authorization: header } })).status).toBe(
        401,
      );
    const cookie = `next-auth.session-token=${items[0].session_id}`;
    expect((await call(getInfo, "/auth/get-info", { headers: { cookie } })).status).toBe(401);
  });

  it("are revoked one by one or all together, which clears the cookie", async () => {
    const user = await createSignedInUser();
    const body = { user_email: user.email, user_password: user.password };
    const phone = (
      await call(login, "/auth/login/email", {
        body,
        headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/1" },
      })
    ).body.data;
    const { items } = await list(user);
    const other = items.find((item: { current: boolean }) => !item.current);
    expect(other.device).toBe("Safari, iOS");
    const revokedOne = await signOut(user, { session_id: other.session_id });
    expect([revokedOne.body.data, revokedOne.headers.getSetCookie()]).toEqual([
      { revoked: 1, signed_out: false },
      [],
    ]);
    const rejected = await call(getInfo, "/auth/get-info", {
      headers: { authorization: `Bearer ${phone.token}` },
    });
    expect(rejected.status).toBe(401);
    const revokedAll = await signOut(user, { all: true });
    expect(revokedAll.body.data).toEqual({ revoked: 1, signed_out: true });
    expect(revokedAll.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; .*Max-Age=0/);
    expect((await call(getInfo, "/auth/get-info", { headers: { cookie: user.cookie } })).status).toBe(401);
  });

  it("of another user look like missing ones; a request names exactly one target", async () => {
    const [user, other] = [await createSignedInUser(), await createSignedInUser()];
    const foreign = await signOut(user, { session_id: other.viewer.sessionId });
    const missing = await signOut(user, { session_id: "ses_missing" });
    expect([foreign.status, foreign.body.code]).toEqual([404, "40408"]);
    expect(missing.body).toEqual(foreign.body);
    expect((await list(other)).total).toBe(1);
    for (const body of [{}, { all: true, all_others: true }, { all: false }, { session_id: "x", all: true }])
      expect((await signOut(user, body)).body.code).toBe("40000");
  });
});

describe("account settings", () => {
  it("switch discount emails on and off, for verified users only", async () => {
    const user = await createSignedInUser();
    const updated = await call(
      setNotifications,
      "/auth/notifications",
      withBearer(user, { discounts: true }),
    );
    expect(updated.body.data).toEqual({
      email: user.email,
      locale: "en",
      email_verified: true,
      discounts: true,
      wait_list: true,
      wishlist: true,
    });
    expect((await call(getNotifications, "/auth/notifications", withBearer(user))).body.data).toEqual(
      updated.body.data,
    );
    const unverified = await createSignedInUser({ verified: false });
    const rejected = await call(
      setNotifications,
      "/auth/notifications",
      withBearer(unverified, { discounts: true }),
    );
    expect([rejected.status, rejected.body.code]).toEqual([403, "40311"]);
  });

  it("export all data after a recent reauthentication, and store no copy of the response", async () => {
    const user = await createSignedInUser();
    const key = randomUUID();
    const exportData = () =>
      call(exportAccount, "/auth/export", withBearer(user, {}, { headers: { "idempotency-key": key } }));
    const { status, body } = await exportData();
    expect([status, body.data.account.user_email]).toEqual([200, user.email]);
    const stored = await client()`select body from idempotency_keys where key = ${key}`;
    expect(stored.map((row) => row.body)).toEqual([null]);
    await expireReauthentication(user);
    expect((await call(exportAccount, "/auth/export", withBearer(user, {}))).body.code).toBe("40312");
  });

  it("delete the account when the address is confirmed", async () => {
    const user = await createSignedInUser();
    const wrong = await call(remove, "/auth/delete", withBearer(user, { confirm: uniqueEmail() }));
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([400, "confirm"]);
    await expireReauthentication(user);
    expect((await call(remove, "/auth/delete", withBearer(user, { confirm: user.email }))).body.code).toBe(
      "40312",
    );
    await call(reauthenticate, "/auth/reauthenticate", withBearer(user, { password: user.password }));
    const deletion = await call(
      remove,
      "/auth/delete",
      withCookie(user, { confirm: user.email.toUpperCase() }),
    );
    expect(deletion.body.data).toEqual({ deleted: true });
    expect(deletion.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; .*Max-Age=0/);
    expect(
      (await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } })).body.code,
    ).toBe("404");
    const body = { user_email: user.email, user_password: user.password };
    expect((await call(login, "/auth/login/email", { body })).body.code).toBe("40101");
  });
});

it("account calls reject guests with 401", async () => {
  const calls: [Handler, string, CallOptions][] = [
    [updateEmail, "/auth/email/update", { body: { new_email: uniqueEmail(), verification_code: "123456" } }],
    [updatePhone, "/auth/phone/update", { body: { new_phone: "" } }],
    [updateUsername, "/auth/username/update", { method: "PUT", body: { new_username: "Mara" } }],
    [reauthenticate, "/auth/reauthenticate", { body: { password: "x" } }],
    [getSessions, "/auth/sessions", {}],
    [revoke, "/auth/sessions/revoke", { body: { all: true } }],
    [getNotifications, "/auth/notifications", {}],
    [setNotifications, "/auth/notifications", { body: {} }],
    [exportAccount, "/auth/export", { body: {} }],
    [remove, "/auth/delete", { body: { confirm: uniqueEmail() } }],
  ];
  for (const [handler, path, sent] of calls)
    expect([path, (await call(handler, path, sent)).body.code]).toEqual([path, "401"]);
});

it("account calls reject writes by cookie from another origin", async () => {
  const user = await createSignedInUser();
  const headers = { cookie: user.cookie, origin: "https://elsewhere.example" };
  const calls: [Handler, string, object][] = [
    [remove, "/auth/delete", { confirm: user.email }],
    [revoke, "/auth/sessions/revoke", { all: true }],
    [exportAccount, "/auth/export", {}],
  ];
  for (const [handler, path, body] of calls)
    expect((await call(handler, path, { body, headers })).body.code).toBe("40310");
  expect((await call(getInfo, "/auth/get-info", { headers: { cookie: user.cookie } })).status).toBe(200);
});
