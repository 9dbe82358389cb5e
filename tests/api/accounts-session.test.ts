import { afterAll, describe, expect, it } from "vitest";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as logout } from "@/app/api/v1/auth/logout/route";
import { POST as refresh } from "@/app/api/v1/auth/refresh/route";
import { GET as sessionSummary } from "@/app/api/v1/auth/session-summary/route";
import { GET as sessionList } from "@/app/api/v1/auth/sessions/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { SIGNED_OUT_COOKIE } from "@/lib/platform/auth/signed-out";
import { uniqueEmail } from "./account-steps";
import { call } from "./call";

afterAll(closeDatabase);

describe("login", () => {
  const tryLogin = (user_email: string, user_password: string, ip?: string) =>
    call(login, "/auth/login/email", { body: { user_email, user_password }, ip });

  it("accepts the right password with the address in any case, as JSON and as a form", async () => {
    const user = await createUser();
    expect((await tryLogin(user.email.toUpperCase(), user.password)).body.data.user_id).toBe(user.id);
    const raw = new URLSearchParams({ user_email: user.email, user_password: user.password });
    expect((await call(login, "/auth/login/email", { raw })).body.data.user_id).toBe(user.id);
  });

  it("responds to a wrong password and an unknown address with the same body in similar time", async () => {
    const user = await createUser();
    const time = async (email: string) => {
      const startedAt = performance.now();
      const response = await tryLogin(email, "not the password");
      return { ms: performance.now() - startedAt, answer: response };
    };
    await time(uniqueEmail()); // warm-up
    const known: Awaited<ReturnType<typeof time>>[] = [];
    const unknown: typeof known = [];
    const fastest = (tries: { ms: number }[]) => Math.min(...tries.map(({ ms }) => ms));
    const isSimilar = () => fastest(unknown) > fastest(known) * 0.5 && fastest(unknown) < fastest(known) * 2;
    // Alternates, so that other load affects both alike, and compares the fastest: load can only add time. Further
    // rounds bring both closer to the time of an idle machine; a missing password hash would stay several times faster.
    for (let round = 0; round < 3 || (round < 8 && !isSimilar()); round += 1) {
      known.push(await time(user.email));
      unknown.push(await time(uniqueEmail()));
    }
    expect(known[0]?.answer.status).toBe(401);
    expect(known[0]?.answer.body).toMatchObject({
      code: "40101",
      message: "Login failed. Please try again later",
    });
    expect(unknown[0]?.answer.body).toEqual(known[0]?.answer.body);
    expect(fastest(unknown)).toBeGreaterThan(fastest(known) * 0.5);
    expect(fastest(unknown)).toBeLessThan(fastest(known) * 2);
  });

  it("locks an account for a network after ten failures, also for the right password; a success resets the count", async () => {
    const user = await createUser();
    const tryFrom = (password: string, ip = "10.20.30.40") => tryLogin(user.email, password, ip);
    for (let i = 0; i < 9; i++) expect((await tryFrom("wrong")).body.code).toBe("40101");
    expect((await tryFrom(user.password)).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await tryFrom("wrong")).body.code).toBe("40101");
    const locked = await tryFrom(user.password);
    expect([locked.status, locked.body.code]).toEqual([429, "42901"]);
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await tryFrom(user.password, "10.20.31.40")).status).toBe(200);
  });

  it("ends the previous session of the browser", async () => {
    const user = await createSignedInUser();
    const body = { user_email: user.email, user_password: user.password };
    await call(login, "/auth/login/email", { body, headers: { cookie: user.cookie } });
    expect((await call(getInfo, "/auth/get-info", { headers: { cookie: user.cookie } })).status).toBe(401);
  });
});

describe("logout", () => {
  it("takes effect through the signed-out cookie when the call failed, for that session only", async () => {
    const user = await createSignedInUser();
    const getInfoWithMark = (mark: string) =>
      call(getInfo, "/auth/get-info", {
        headers: { cookie: `${SIGNED_OUT_COOKIE}=${mark}; ${user.cookie}` },
      });
    expect((await getInfoWithMark("ses_earlier")).status).toBe(200);
    expect((await getInfoWithMark(user.viewer.sessionId)).body.code).toBe("401");
    const later = await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } });
    expect(later.body.code).toBe("401");
  });

  it("invalidates the access token, the cookie and the refresh token", async () => {
    const user = await createSignedInUser();
    const response = await call(logout, "/auth/logout", {
      method: "POST",
      headers: { authorization: user.bearer },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; .*Max-Age=0/);
    const credentials: Record<string, string>[] = [{ authorization: user.bearer }, { cookie: user.cookie }];
    for (const headers of credentials)
      expect((await call(getInfo, "/auth/get-info", { headers })).body.code).toBe("401");
    const refreshed = await call(refresh, "/auth/refresh", { body: { refresh_token: user.refreshToken } });
    expect(refreshed.body.code).toBe("401");
  });

  it("succeeds without a session, and by the cookie", async () => {
    expect((await call(logout, "/auth/logout", { method: "POST" })).status).toBe(200);
    const user = await createSignedInUser();
    await call(logout, "/auth/logout", {
      body: {},
      headers: { cookie: user.cookie, origin: "http://localhost:3000" },
    });
    expect((await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } })).status).toBe(
      401,
    );
  });
});

describe("refresh", () => {
  it("returns new working tokens", async () => {
    const user = await createSignedInUser();
    const { body } = await call(refresh, "/auth/refresh", { body: { refresh_token: user.refreshToken } });
    expect(body.data.refresh_token).not.toBe(user.refreshToken);
    const info = await call(getInfo, "/auth/get-info", {
      headers: { authorization: `Bearer ${body.data.token}` },
    });
    expect(info.body.data.user_id).toBe(user.id);
  });
});

describe("a deleted account with a valid token", () => {
  it("gets 404 from get-info, by token and by cookie, and 401 from other calls and for ended sessions", async () => {
    const user = await createSignedInUser();
    const body = { user_email: user.email, user_password: user.password };
    const loggedOut = (await call(login, "/auth/login/email", { body })).body.data.token;
    await call(logout, "/auth/logout", { body: {}, headers: { authorization: `Bearer ${loggedOut}` } });
    await deleteAccount(user.viewer, { confirm: user.email }, "en");
    const read = (headers: Record<string, string>) => call(getInfo, "/auth/get-info", { headers });
    const credentials: Record<string, string>[] = [{ authorization: user.bearer }, { cookie: user.cookie }];
    for (const headers of credentials) {
      const gone = await read({ ...headers, "accept-language": "ja" });
      expect([gone.status, gone.body.code, gone.body.success]).toEqual([404, "404", false]);
      expect(gone.body.message).toMatch(/[\u3040-\u30ff]/);
      expect((await call(sessionList, "/auth/sessions", { headers })).status).toBe(401);
    }
    expect((await read({ authorization: `Bearer ${loggedOut}` })).status).toBe(401);
    expect((await read({ authorization: "Bearer x.y.z" })).status).toBe(401);
    expect((await read({})).status).toBe(401);
  });

  it("loses its cookie when the header's data is read", async () => {
    const user = await createSignedInUser();
    const summary = () => call(sessionSummary, "/auth/session-summary", { headers: { cookie: user.cookie } });
    const before = await summary();
    expect([before.body.data.signed_in, before.headers.get("set-cookie")]).toEqual([true, null]);
    await deleteAccount(user.viewer, { confirm: user.email }, "en");
    const after = await summary();
    expect(after.body.data).toEqual({ signed_in: false, cart_count: 0 });
    expect(after.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; .*Max-Age=0/);
    const guest = await call(sessionSummary, "/auth/session-summary", { headers: {} });
    expect(guest.headers.get("set-cookie")).toBeNull();
  });
});
