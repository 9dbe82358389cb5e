import { randomUUID } from "node:crypto";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { GET as nextAuth } from "@/app/api/auth/[...nextauth]/route";
import { GET as listOrders } from "@/app/api/v1/admin/orders/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as startGithub } from "@/app/api/v1/auth/login/github/route";
import { POST as requestNonce } from "@/app/api/v1/auth/login/google/nonce/route";
import { POST as loginWithGoogle } from "@/app/api/v1/auth/login/google/route";
import { GET as signInForm } from "@/app/api/v1/auth/sign-in-form/route";
import { POST as answer } from "@/app/dev/sign-in/[provider]/answer/route";
import { GET as googleScript } from "@/app/dev/sign-in/google/script/route";
import { client, closeDatabase } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createStaff } from "@/db/factories/staff";
import { findSandboxPage } from "@/lib/accounts/social-sign-in/sandbox-sign-in";
import { env } from "@/lib/platform/env";
import { call } from "./call";

afterAll(closeDatabase);

const SANDBOX = {
  APP_MODE: "demo",
  ALLOW_SANDBOX_IN_PRODUCTION: false,
  PAYMENT_MODE: "sandbox",
  MAIL_MODE: "local",
  GOOGLE_CLIENT_ID: undefined,
  GITHUB_CLIENT_ID: undefined,
};
afterEach(() => void Object.assign(env(), SANDBOX));

const newEmail = () => `s-${randomUUID().slice(0, 12)}@example.com`;

/** Sends the form of the sandbox's page. */
function submit(provider: string, fields: Record<string, string>): Promise<Response> {
  const request = new Request(`http://localhost:3000/dev/sign-in/${provider}/answer`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return answer(request, { params: Promise.resolve({ provider }) });
}

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");

describe("the sandbox's stand-in for Google", () => {
  async function signIn(fields: Record<string, string>) {
    const nonceResponse = await call(requestNonce, "/auth/login/google/nonce", { method: "POST" });
    const page = findSandboxPage("google", { nonce: nonceResponse.body.data.nonce, locale: "ja" });
    const response = await submit("google", { ...page?.fields, ...fields });
    const [, credential = ""] = /sandboxCredential: "([^"]+)"/.exec(await response.text()) ?? [];
    const send = (cookie: string) =>
      call(loginWithGoogle, "/auth/login/google", {
        body: { google_token: credential },
        headers: { cookie },
      });
    return { credential, send, cookie: cookiesOf(nonceResponse.headers) };
  }

  it("signs in with any address, once per token and only in the browser that requested it", async () => {
    const email = newEmail();
    const { send, cookie } = await signIn({ email, verified: "on" });
    expect((await send("")).status).toBe(401);
    const { status, body } = await send(cookie);
    expect([status, body.data.user_email]).toEqual([200, email]);
    expect((await send(cookie)).status).toBe(401);
    const owner = await createUser();
    const again = await signIn({ email: owner.email, verified: "on" });
    expect((await again.send(again.cookie)).body.data.user_id).toBe(owner.id);
  });

  it("refuses an address that the user marks as unverified, and sends nothing after a cancellation", async () => {
    const { send, cookie } = await signIn({ email: newEmail() });
    expect((await send(cookie)).status).toBe(401);
    expect((await signIn({ cancel: "" })).credential).toBe("");
  });

  it("says in three languages that it belongs to the sandbox", async () => {
    const script = await googleScript().text();
    for (const [locale, label] of [
      ["en", "Continue with Google (sandbox)"],
      ["zh", "使用 Google 继续（沙盒）"],
      ["ja", "Googleで続ける（サンドボックス）"],
    ] as const) {
      expect(script).toContain(label);
      const form = await call(signInForm, "/auth/sign-in-form", { query: `target_lang=${locale}` });
      expect(form.body.data).toMatchObject({
        google: { client_id: "sandbox", script_url: "/dev/sign-in/google/script" },
        github: true,
        labels: { google: label },
      });
      expect(findSandboxPage("google", { locale })?.labels.google).toMatch(/Sandbox|沙盒|サンドボックス/);
    }
  });
});

describe("the sandbox's stand-in for GitHub", () => {
  async function start(body: object = {}) {
    const response = await call(startGithub, "/auth/login/github", { body });
    return { url: new URL(response.body.data.url), cookie: cookiesOf(response.headers) };
  }
  const choose = async (url: URL, fields: Record<string, string>) => {
    const page = findSandboxPage("github", Object.fromEntries(url.searchParams));
    return submit("github", { ...page?.fields, ...fields });
  };
  async function openCallback(location: string | null, cookie: string) {
    const request = new Request(location ?? "", { headers: { cookie } });
    const nextauth = new URL(request.url).pathname.split("/").slice(3);
    return nextAuth(request, { params: Promise.resolve({ nextauth }) });
  }
  async function signIn(fields: Record<string, string>) {
    const { url, cookie } = await start({ redirect: "/order-history" });
    const { headers } = await choose(url, fields);
    return openCallback(headers.get("location"), cookie);
  }

  it("signs in with any address and returns to the page that the guest wanted", async () => {
    const email = newEmail();
    const { headers } = await signIn({ email, verified: "on" });
    expect(headers.get("location")).toBe("/order-history");
    const info = await call(getInfo, "/auth/get-info", { headers: { cookie: cookiesOf(headers) } });
    expect(info.body.data.user_email).toBe(email);
    const identities = await client()`select provider from user_identities where email = ${email}`;
    expect(identities.map(({ provider }) => provider)).toEqual(["github"]);
  });

  it("explains why an unverified address or a cancellation does not sign in", async () => {
    const unverified = await signIn({ email: newEmail() });
    expect(unverified.headers.get("location")).toBe("/login?redirect=%2Forder-history&error=unverified");
    const cancelled = await signIn({ cancel: "" });
    expect(cancelled.headers.get("location")).toBe("/login?redirect=%2Forder-history&error=cancelled");
  });

  it("refuses the code of another browser, and never redirects to another site", async () => {
    const { url } = await start();
    const { headers } = await choose(url, { email: newEmail(), verified: "on" });
    const other = await start();
    const foreign = await openCallback(headers.get("location"), other.cookie);
    expect(foreign.headers.get("location")).toBe("/login?error=failed");
    const mixed = new URL(headers.get("location") ?? "");
    mixed.searchParams.set("state", other.url.searchParams.get("state") ?? "");
    const stolen = await openCallback(mixed.href, other.cookie);
    expect(stolen.headers.get("location")).toBe("/login?error=failed");
    url.searchParams.set("redirect_uri", "https://evil.example/api/auth/callback/github");
    expect((await choose(url, { email: newEmail() })).status).toBe(404);
  });
});

describe("the sandbox's stand-ins", () => {
  it.each([
    ["in production", { APP_MODE: "production" }, false],
    [
      "in production with the permission",
      { APP_MODE: "production", ALLOW_SANDBOX_IN_PRODUCTION: true },
      true,
    ],
    ["with real payments", { PAYMENT_MODE: "test" }, false],
    ["with real emails", { MAIL_MODE: "resend" }, false],
    ["beside the providers themselves", { GOOGLE_CLIENT_ID: "shop", GITHUB_CLIENT_ID: "shop" }, false],
  ])("exist %s: %j → %s", async (_, variables, exists) => {
    Object.assign(env(), variables);
    for (const provider of ["google", "github"]) {
      expect(findSandboxPage(provider, {}) !== null).toBe(exists);
      const { status } = await submit(provider, {
        email: newEmail(),
        redirect_uri: `${env().APP_URL}/api/auth/callback/github`,
      });
      expect(status !== 404).toBe(exists);
    }
    expect(googleScript().status).toBe(exists ? 200 : 404);
  });

  it("are offered to no one in production, where their calls report that the provider is unavailable", async () => {
    Object.assign(env(), { APP_MODE: "production" });
    const form = await call(signInForm, "/auth/sign-in-form");
    expect(form.body.data).toMatchObject({ google: null, github: false });
    const calls = [
      await call(startGithub, "/auth/login/github", { body: {} }),
      await call(requestNonce, "/auth/login/google/nonce", { method: "POST" }),
      await call(loginWithGoogle, "/auth/login/google", { body: { google_token: "token" } }),
    ];
    expect(calls.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([503, "50301"]));
  });

  it("do not replace the second factor: a staff member is signed in as a customer", async () => {
    const staff = await createStaff({ entered: false });
    const start = await call(startGithub, "/auth/login/github", { body: {} });
    const url = new URL(start.body.data.url);
    const page = findSandboxPage("github", Object.fromEntries(url.searchParams));
    const chosen = await submit("github", { ...page?.fields, email: staff.email, verified: "on" });
    const callback = new Request(chosen.headers.get("location") ?? "", {
      headers: { cookie: cookiesOf(start.headers) },
    });
    const answered = await nextAuth(callback, {
      params: Promise.resolve({ nextauth: ["callback", "github"] }),
    });
    const headers = { cookie: cookiesOf(answered.headers) };
    const info = await call(getInfo, "/auth/get-info", { headers });
    expect(info.body.data.user_id).toBe(staff.id);
    expect((await call(listOrders, "/admin/orders", { headers })).status).toBe(403);
  });

  it("do not exist for other providers, and require a valid address", async () => {
    expect(findSandboxPage("facebook", {})).toBeNull();
    expect((await submit("google", { email: "nobody" })).status).toBe(404);
  });
});
