import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as logout } from "@/app/api/v1/auth/logout/route";
import { POST as refresh } from "@/app/api/v1/auth/refresh/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { SIGNED_OUT_COOKIE } from "@/lib/platform/auth/signed-out";
import { call } from "./call";

afterAll(closeDatabase);

const fresh = () => `new-${randomUUID().slice(0, 12)}@example.com`;
const _password = "a long enough password";

describe("login", () => {
  const tryLogin = (user_email: string, user_password: string, ip?: string) =>
    call(login, "/auth/login/email", { body: { user_email, user_password }, ip });

  it("takes the right password, whatever the case of the address, as JSON and as a form", async () => {
    const user = await createUser();
    expect((await tryLogin(user.email.toUpperCase(), user.password)).body.data.user_id).toBe(user.id);
    const raw = new URLSearchParams({ user_email: user.email, user_password: user.password });
    expect((await call(login, "/auth/login/email", { raw })).body.data.user_id).toBe(user.id);
  });

  it("answers alike, in words and time, for a wrong password and an unknown address", async () => {
    const user = await createUser();
    const time = async (email: string) => {
      const began = performance.now();
      const answer = await tryLogin(email, "not the password");
      return { ms: performance.now() - began, answer };
    };
    await time(fresh()); // warm
    const known: Awaited<ReturnType<typeof time>>[] = [];
    const unknown: typeof known = [];
    // In turn, so that whatever else the machine does falls on both alike.
    for (let round = 0; round < 3; round += 1) {
      known.push(await time(user.email));
      unknown.push(await time(fresh()));
    }
    expect(known[0]?.answer.status).toBe(401);
    expect(known[0]?.answer.body).toMatchObject({
      code: "40101",
      message: "Login failed. Please try again later",
    });
    expect(unknown[0]?.answer.body).toEqual(known[0]?.answer.body);
    const least = (tries: { ms: number }[]) => Math.min(...tries.map(({ ms }) => ms));
    expect(least(unknown)).toBeGreaterThan(least(known) * 0.5);
    expect(least(unknown)).toBeLessThan(least(known) * 2);
  });

  it("closes an account's door to a network after ten failures, also for the right password, and a success clears them", async () => {
    const user = await createUser();
    const from = (password: string, ip = "10.20.30.40") => tryLogin(user.email, password, ip);
    for (let i = 0; i < 9; i++) expect((await from("wrong")).body.code).toBe("40101");
    expect((await from(user.password)).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await from("wrong")).body.code).toBe("40101");
    const closed = await from(user.password);
    expect([closed.status, closed.body.code]).toEqual([429, "42901"]);
    expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await from(user.password, "10.20.31.40")).status).toBe(200);
  });

  it("ends the session that asked for it", async () => {
    const user = await createSignedInUser();
    const body = { user_email: user.email, user_password: user.password };
    await call(login, "/auth/login/email", { body, headers: { cookie: user.cookie } });
    expect((await call(getInfo, "/auth/get-info", { headers: { cookie: user.cookie } })).status).toBe(401);
  });
});

describe("logout", () => {
  it("heeds the browser's mark when the call could not be made, for that session only", async () => {
    const user = await createSignedInUser();
    const asked = (mark: string) =>
      call(getInfo, "/auth/get-info", {
        headers: { cookie: `${SIGNED_OUT_COOKIE}=${mark}; ${user.cookie}` },
      });
    expect((await asked("ses_of_before")).status).toBe(200);
    expect((await asked(user.viewer.sessionId)).body.code).toBe("401");
    const later = await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } });
    expect(later.body.code).toBe("401");
  });

  it("kills the access token, the cookie and the refresh token at once", async () => {
    const user = await createSignedInUser();
    const answer = await call(logout, "/auth/logout", {
      method: "POST",
      headers: { authorization: user.bearer },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; .*Max-Age=0/);
    const held: Record<string, string>[] = [{ authorization: user.bearer }, { cookie: user.cookie }];
    for (const headers of held)
      expect((await call(getInfo, "/auth/get-info", { headers })).body.code).toBe("401");
    const dead = await call(refresh, "/auth/refresh", { body: { refresh_token: user.refreshToken } });
    expect(dead.body.code).toBe("401");
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
  it("answers new tokens that work", async () => {
    const user = await createSignedInUser();
    const { body } = await call(refresh, "/auth/refresh", { body: { refresh_token: user.refreshToken } });
    expect(body.data.refresh_token).not.toBe(user.refreshToken);
    const info = await call(getInfo, "/auth/get-info", {
      headers: { authorization: `Bearer ${body.data.token}` },
    });
    expect(info.body.data.user_id).toBe(user.id);
  });
});
