import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GET as nextAuth } from "@/app/api/auth/[...nextauth]/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/github/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { GITHUB_CLIENT, GithubEmulator, type GithubPerson } from "../setup/github";
import { call } from "./call";

const github = new GithubEmulator();

beforeAll(async () => {
  const base = await github.start();
  Object.assign(env(), {
    GITHUB_CLIENT_ID: GITHUB_CLIENT.id,
    GITHUB_CLIENT_SECRET: GITHUB_CLIENT.secret,
    GITHUB_LOGIN_BASE: base,
    GITHUB_API_BASE: base,
  });
});
afterEach(() => {
  github.revoked = false;
  env().GITHUB_CLIENT_SECRET = GITHUB_CLIENT.secret;
});
afterAll(async () => {
  await github.stop();
  await closeDatabase();
});

let lastId = 1000;
function createGithubUser(more: Partial<GithubPerson> = {}): GithubPerson & { email: string } {
  const tag = randomUUID().slice(0, 12);
  const email = `h-${tag}@example.com`;
  lastId += 1;
  const emails = [
    { email: `other-${tag}@example.com`, primary: false, verified: true },
    { email: email.toUpperCase(), primary: true, verified: true },
  ];
  return { id: lastId, login: `hub-${tag}`, name: "Grace <H>", emails, email, ...more };
}

/** The cookies of a browser. */
class CookieJar {
  readonly lines: string[] = [];
  readonly cookies = new Map<string, string>();

  store(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      this.lines.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

async function startLogin(jar: CookieJar, body: object = {}, headers: Record<string, string> = {}) {
  const response = await call(login, "/auth/login/github", { body, headers });
  expect(response.body).toMatchObject({ code: "200" });
  jar.store(response.headers);
  return new URL(response.body.data.url);
}

/** Follows GitHub's page and returns the callback URL. */
async function authorizeAtGithub(url: URL): Promise<URL> {
  const response = await fetch(url, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
}

async function openCallback(jar: CookieJar, url: URL) {
  const headers = { cookie: jar.header, "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/150.0" };
  const nextauth = url.pathname.split("/").slice(3);
  const request = new Request(url, { headers });
  const response = await nextAuth(request, { params: Promise.resolve({ nextauth }) });
  jar.store(response.headers);
  return { status: response.status, location: response.headers.get("location"), headers: response.headers };
}

async function signIn(
  githubUser: GithubPerson | undefined,
  body: object = {},
  headers: Record<string, string> = {},
) {
  github.who = githubUser;
  const jar = new CookieJar();
  const result = await openCallback(jar, await authorizeAtGithub(await startLogin(jar, body, headers)));
  return { ...result, jar };
}

const SESSION = "next-auth.session-token";
async function getAccount(jar: CookieJar) {
  const cookie = `${SESSION}=${jar.cookies.get(SESSION)}`;
  return (await call(getInfo, "/auth/get-info", { headers: { cookie } })).body.data;
}
const isSignedIn = ({ jar }: { jar: CookieJar }) => jar.cookies.has(SESSION);

describe("login with GitHub", () => {
  it("redirects with state, PKCE, the email scope and the fixed callback URL", async () => {
    const jar = new CookieJar();
    const url = await startLogin(jar);
    expect(url.origin).toBe(github.address);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: GITHUB_CLIENT.id,
      redirect_uri: `${env().APP_URL}/api/auth/callback/github`,
      response_type: "code",
      scope: "read:user user:email",
      state: expect.stringMatching(/^.{30,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect([...jar.cookies.keys()].sort()).toEqual([
      "github-return",
      "next-auth.pkce.code_verifier",
      "next-auth.state",
    ]);
    for (const line of jar.lines) expect(line).toMatch(/HttpOnly; SameSite=Lax/);
    expect(jar.header).not.toContain(url.searchParams.get("state"));
  });

  it("creates a verified account with the primary address, and finds it again after an address change", async () => {
    const githubUser = createGithubUser();
    const inviter = await createUser();
    const options = {
      redirect: "/zh/mobile/library?x=1",
      surface: "mobile",
      invited_account: inviter.inviteCode,
      source_info: { source: "mail", landingPage: "/top-trending" },
    };
    const result = await signIn(githubUser, options, { "accept-language": "zh" });
    expect([result.status, result.location]).toEqual([302, "/zh/mobile/library?x=1"]);
    expect([...result.jar.cookies.keys()]).toEqual([SESSION]); // all other cookies are cleared
    const info = await getAccount(result.jar);
    expect(info).toMatchObject({ user_email: githubUser.email, email_verified: true, username: "Grace H" });
    const [row] = await client()`select u.invited_by, u.signup_source, u.locale, u.password_hash,
      u.privacy_accepted_at is not null as accepted, s.device from users u join sessions s on s.user_id = u.id
      where u.id = ${info.user_id}`;
    expect(row).toEqual({
      invited_by: inviter.id,
      signup_source: { source: "mail", landingPage: "/top-trending" },
      locale: "zh",
      password_hash: null,
      accepted: true,
      device: "Firefox, Linux",
    });
    const moved = {
      ...githubUser,
      emails: [{ email: `moved-${githubUser.email}`, primary: true, verified: true }],
    };
    const again = await signIn(moved);
    expect(again.location).toBe("/profile");
    expect((await getAccount(again.jar)).user_id).toBe(info.user_id);
  });

  it("stores only the session id in next-auth's cookie", async () => {
    const { decode } = await import("next-auth/jwt");
    const { jar } = await signIn(createGithubUser());
    const read = await decode({ token: jar.cookies.get(SESSION), secret: env().AUTH_SECRET });
    expect(Object.keys(read ?? {}).sort()).toEqual(["exp", "iat", "jti", "sid"]);
    expect(read?.sid).toMatch(/^ses_/);
  });

  it("redirects only to known pages of this site", async () => {
    const targets = ["https://evil.example", "//evil.example", "/\\evil.example", "/login", "/nowhere"];
    for (const redirect of targets)
      expect((await signIn(createGithubUser(), { redirect })).location).toBe("/profile");
  });

  it("adds the chosen plan to the cart, or redirects to the page of an unavailable product", async () => {
    const product = await createProduct();
    const [plan] = await client()`select id from plans where product_id = ${product.id} limit 1`;
    const result = await signIn(createGithubUser(), { add: `${product.id}-${plan?.id}` });
    expect(result.location).toBe("/cart");
    const { user_id } = await getAccount(result.jar);
    const lines = await client()`select plan_id from cart_lines where user_id = ${user_id}`;
    expect(lines.map(({ plan_id }) => plan_id)).toEqual([plan?.id]);
    const unavailable = await signIn(createGithubUser(), {
      add: "999999999-1",
      surface: "mobile",
      target_lang: "ja",
    });
    expect(unavailable.location).toBe("/ja/mobile/product/detail/999999999");
    expect(isSignedIn(unavailable)).toBe(true);
  });

  it("ends the previous session of the browser", async () => {
    const before = await createSignedInUser();
    github.who = createGithubUser();
    const jar = new CookieJar();
    jar.cookies.set(SESSION, before.cookie.slice(SESSION.length + 1));
    await openCallback(jar, await authorizeAtGithub(await startLogin(jar)));
    expect((await getAccount(jar)).user_id).not.toBe(before.id);
    const previous = await call(getInfo, "/auth/get-info", { headers: { cookie: before.cookie } });
    expect(previous.status).toBe(401);
  });
});

describe("login with GitHub fails", () => {
  const options = { redirect: "/cart", surface: "mobile", target_lang: "ja" };
  const loginErrorUrl = (error: string) => `/ja/mobile/login?redirect=%2Fcart&error=${error}`;

  it("when the user declines", async () => {
    const result = await signIn(undefined, options);
    expect([result.location, isSignedIn(result)]).toEqual([loginErrorUrl("cancelled"), false]);
  });

  it("when the primary address is unverified or missing", async () => {
    const email = `u-${randomUUID()}@example.com`;
    const unverified = [
      { email, primary: true, verified: false },
      { email: `second-${email}`, primary: false, verified: true },
    ];
    for (const emails of [unverified, []]) {
      const result = await signIn(createGithubUser({ emails }), options);
      expect([result.location, isSignedIn(result)]).toEqual([loginErrorUrl("unverified"), false]);
    }
    expect(await client()`select 1 from users where email like ${`%${email}`}`).toHaveLength(0);
  });

  it("when the token is revoked or the client secret is wrong", async () => {
    github.revoked = true;
    expect((await signIn(createGithubUser(), options)).location).toBe(loginErrorUrl("failed"));
    github.revoked = false;
    env().GITHUB_CLIENT_SECRET = "another";
    const result = await signIn(createGithubUser(), options);
    expect([result.location, isSignedIn(result)]).toEqual([loginErrorUrl("failed"), false]);
  });

  it("when the state is another browser's, changed or missing", async () => {
    github.who = createGithubUser();
    const firstBrowser = new CookieJar();
    const secondBrowser = new CookieJar();
    const callbackUrl = await authorizeAtGithub(await startLogin(firstBrowser, options));
    await startLogin(secondBrowser, options);
    // A victim opens the callback URL of an attacker.
    expect(await openCallback(secondBrowser, callbackUrl)).toMatchObject({
      status: 302,
      location: loginErrorUrl("failed"),
    });
    expect(isSignedIn({ jar: secondBrowser })).toBe(false);
    const changed = new URL(callbackUrl);
    changed.searchParams.set("state", "x".repeat(43));
    expect((await openCallback(firstBrowser, changed)).location).toBe(loginErrorUrl("failed"));
    const emptyJar = new CookieJar();
    expect((await openCallback(emptyJar, callbackUrl)).location).toBe("/login?error=failed");
    expect([isSignedIn({ jar: firstBrowser }), isSignedIn({ jar: emptyJar })]).toEqual([false, false]);
  });

  it("when the PKCE verifier is missing or from another flow", async () => {
    github.who = createGithubUser();
    const missing = new CookieJar();
    const first = await authorizeAtGithub(await startLogin(missing, options));
    missing.cookies.delete("next-auth.pkce.code_verifier");
    expect((await openCallback(missing, first)).location).toBe(loginErrorUrl("failed"));
    const mixedJar = new CookieJar();
    const second = await authorizeAtGithub(await startLogin(mixedJar, options));
    const other = new CookieJar();
    await startLogin(other, options);
    mixedJar.cookies.set(
      "next-auth.pkce.code_verifier",
      other.cookies.get("next-auth.pkce.code_verifier") ?? "",
    );
    expect((await openCallback(mixedJar, second)).location).toBe(loginErrorUrl("failed"));
    expect([isSignedIn({ jar: missing }), isSignedIn({ jar: mixedJar })]).toEqual([false, false]);
  });

  it("when the callback URL is opened a second time", async () => {
    github.who = createGithubUser();
    const jar = new CookieJar();
    const callbackUrl = await authorizeAtGithub(await startLogin(jar));
    const copy = new CookieJar();
    for (const [name, value] of jar.cookies) copy.cookies.set(name, value);
    expect((await openCallback(jar, callbackUrl)).location).toBe("/profile");
    expect((await openCallback(copy, callbackUrl)).location).toBe("/login?error=failed");
    expect(isSignedIn({ jar: copy })).toBe(false);
  });

  it("when it is not configured, from another origin, and at other next-auth endpoints", async () => {
    const { GITHUB_CLIENT_ID } = env();
    // Nothing replaces a provider where emails are real.
    Object.assign(env(), { GITHUB_CLIENT_ID: undefined, MAIL_MODE: "resend" });
    const unconfigured = await call(login, "/auth/login/github", { body: {} });
    Object.assign(env(), { GITHUB_CLIENT_ID, MAIL_MODE: "local" });
    expect([unconfigured.status, unconfigured.body.code]).toEqual([503, "50301"]);
    const foreign = await call(login, "/auth/login/github", {
      body: {},
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    for (const path of [
      "signin",
      "signin/github",
      "csrf",
      "session",
      "providers",
      "signout",
      "error",
      "callback/google",
    ]) {
      const { status } = await openCallback(
        new CookieJar(),
        new URL(`http://localhost:3000/api/auth/${path}`),
      );
      expect(status, path).toBe(404);
    }
  });
});
