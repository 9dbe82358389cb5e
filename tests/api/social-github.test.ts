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
function someone(more: Partial<GithubPerson> = {}): GithubPerson & { email: string } {
  const tag = randomUUID().slice(0, 12);
  const email = `h-${tag}@example.com`;
  lastId += 1;
  const emails = [
    { email: `other-${tag}@example.com`, primary: false, verified: true },
    { email: email.toUpperCase(), primary: true, verified: true },
  ];
  return { id: lastId, login: `hub-${tag}`, name: "Grace <H>", emails, email, ...more };
}

/** A browser's cookies. */
class Jar {
  readonly lines: string[] = [];
  readonly held = new Map<string, string>();

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      this.lines.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.held.set(name, value);
      else this.held.delete(name);
    }
  }

  get header(): string {
    return [...this.held].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

async function start(jar: Jar, body: object = {}, headers: Record<string, string> = {}) {
  const answer = await call(login, "/auth/login/github", { body, headers });
  expect(answer.body).toMatchObject({ code: "200" });
  jar.take(answer.headers);
  return new URL(answer.body.data.url);
}

/** Follows GitHub's page to the address that it sends the browser back to. */
async function atGithub(url: URL): Promise<URL> {
  const answer = await fetch(url, { redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "");
}

async function back(jar: Jar, url: URL) {
  const headers = { cookie: jar.header, "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/150.0" };
  const nextauth = url.pathname.split("/").slice(3);
  const request = new Request(url, { headers });
  const response = await nextAuth(request, { params: Promise.resolve({ nextauth }) });
  jar.take(response.headers);
  return { status: response.status, location: response.headers.get("location"), headers: response.headers };
}

async function signIn(
  person: GithubPerson | undefined,
  body: object = {},
  headers: Record<string, string> = {},
) {
  github.who = person;
  const jar = new Jar();
  const end = await back(jar, await atGithub(await start(jar, body, headers)));
  return { ...end, jar };
}

const SESSION = "next-auth.session-token";
async function account(jar: Jar) {
  const cookie = `${SESSION}=${jar.held.get(SESSION)}`;
  return (await call(getInfo, "/auth/get-info", { headers: { cookie } })).body.data;
}
const isIn = ({ jar }: { jar: Jar }) => jar.held.has(SESSION);

describe("login with GitHub", () => {
  it("asks with state and PKCE, for the addresses, and leads back to one address of ours", async () => {
    const jar = new Jar();
    const url = await start(jar);
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
    expect([...jar.held.keys()].sort()).toEqual([
      "github-return",
      "next-auth.pkce.code_verifier",
      "next-auth.state",
    ]);
    for (const line of jar.lines) expect(line).toMatch(/HttpOnly; SameSite=Lax/);
    expect(jar.header).not.toContain(url.searchParams.get("state"));
  });

  it("opens a verified account with the primary address, and then the same one again", async () => {
    const person = someone();
    const inviter = await createUser();
    const wish = {
      redirect: "/zh/mobile/library?x=1",
      surface: "mobile",
      invited_account: inviter.inviteCode,
      source_info: { source: "mail", landingPage: "/top-trending" },
    };
    const end = await signIn(person, wish, { "accept-language": "zh" });
    expect([end.status, end.location]).toEqual([302, "/zh/mobile/library?x=1"]);
    expect([...end.jar.held.keys()]).toEqual([SESSION]); // everything else is forgotten
    const info = await account(end.jar);
    expect(info).toMatchObject({ user_email: person.email, email_verified: true, username: "Grace H" });
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
    const moved = { ...person, emails: [{ email: `moved-${person.email}`, primary: true, verified: true }] };
    const again = await signIn(moved);
    expect(again.location).toBe("/profile");
    expect((await account(again.jar)).user_id).toBe(info.user_id);
  });

  it("keeps in next-auth's cookie the session's id and nothing of the person", async () => {
    const { decode } = await import("next-auth/jwt");
    const { jar } = await signIn(someone());
    const read = await decode({ token: jar.held.get(SESSION), secret: env().AUTH_SECRET });
    expect(Object.keys(read ?? {}).sort()).toEqual(["exp", "iat", "jti", "sid"]);
    expect(read?.sid).toMatch(/^ses_/);
  });

  it("leads to known pages of this shop only", async () => {
    const wishes = ["https://evil.example", "//evil.example", "/\\evil.example", "/login", "/nowhere"];
    for (const redirect of wishes) expect((await signIn(someone(), { redirect })).location).toBe("/profile");
  });

  it("puts what was chosen into the cart; what cannot be had is explained on its page", async () => {
    const product = await createProduct();
    const [plan] = await client()`select id from plans where product_id = ${product.id} limit 1`;
    const end = await signIn(someone(), { add: `${product.id}-${plan?.id}` });
    expect(end.location).toBe("/cart");
    const { user_id } = await account(end.jar);
    const lines = await client()`select plan_id from cart_lines where user_id = ${user_id}`;
    expect(lines.map(({ plan_id }) => plan_id)).toEqual([plan?.id]);
    const gone = await signIn(someone(), { add: "999999999-1", surface: "mobile", target_lang: "ja" });
    expect(gone.location).toBe("/ja/mobile/product/detail/999999999");
    expect(isIn(gone)).toBe(true);
  });

  it("ends the session that the browser had before", async () => {
    const before = await createSignedInUser();
    github.who = someone();
    const jar = new Jar();
    jar.held.set(SESSION, before.cookie.slice(SESSION.length + 1));
    await back(jar, await atGithub(await start(jar)));
    expect((await account(jar)).user_id).not.toBe(before.id);
    const old = await call(getInfo, "/auth/get-info", { headers: { cookie: before.cookie } });
    expect(old.status).toBe(401);
  });
});

describe("login with GitHub is refused", () => {
  const wish = { redirect: "/cart", surface: "mobile", target_lang: "ja" };
  const failed = (why: string) => `/ja/mobile/login?redirect=%2Fcart&error=${why}`;

  it("when the person declines", async () => {
    const end = await signIn(undefined, wish);
    expect([end.location, isIn(end)]).toEqual([failed("cancelled"), false]);
  });

  it("when the primary address is not verified, or there is none", async () => {
    const email = `u-${randomUUID()}@example.com`;
    const unsure = [
      { email, primary: true, verified: false },
      { email: `second-${email}`, primary: false, verified: true },
    ];
    for (const emails of [unsure, []]) {
      const end = await signIn(someone({ emails }), wish);
      expect([end.location, isIn(end)]).toEqual([failed("unverified"), false]);
    }
    expect(await client()`select 1 from users where email like ${`%${email}`}`).toHaveLength(0);
  });

  it("when the right was taken away, or the shop's own secret is wrong", async () => {
    github.revoked = true;
    expect((await signIn(someone(), wish)).location).toBe(failed("failed"));
    github.revoked = false;
    env().GITHUB_CLIENT_SECRET = "another";
    const end = await signIn(someone(), wish);
    expect([end.location, isIn(end)]).toEqual([failed("failed"), false]);
  });

  it("when the state is another's, changed or missing", async () => {
    github.who = someone();
    const mine = new Jar();
    const theirs = new Jar();
    const returned = await atGithub(await start(mine, wish));
    await start(theirs, wish);
    // A victim is made to open the address that was meant for the attacker.
    expect(await back(theirs, returned)).toMatchObject({ status: 302, location: failed("failed") });
    expect(isIn({ jar: theirs })).toBe(false);
    const changed = new URL(returned);
    changed.searchParams.set("state", "x".repeat(43));
    expect((await back(mine, changed)).location).toBe(failed("failed"));
    const without = new Jar();
    expect((await back(without, returned)).location).toBe("/login?error=failed");
    expect([isIn({ jar: mine }), isIn({ jar: without })]).toEqual([false, false]);
  });

  it("when the PKCE verifier is missing or of another flow", async () => {
    github.who = someone();
    const missing = new Jar();
    const first = await atGithub(await start(missing, wish));
    missing.held.delete("next-auth.pkce.code_verifier");
    expect((await back(missing, first)).location).toBe(failed("failed"));
    const mixed = new Jar();
    const second = await atGithub(await start(mixed, wish));
    const other = new Jar();
    await start(other, wish);
    mixed.held.set("next-auth.pkce.code_verifier", other.held.get("next-auth.pkce.code_verifier") ?? "");
    expect((await back(mixed, second)).location).toBe(failed("failed"));
    expect([isIn({ jar: missing }), isIn({ jar: mixed })]).toEqual([false, false]);
  });

  it("when the address of the way back is opened again", async () => {
    github.who = someone();
    const jar = new Jar();
    const returned = await atGithub(await start(jar));
    const copy = new Jar();
    for (const [name, value] of jar.held) copy.held.set(name, value);
    expect((await back(jar, returned)).location).toBe("/profile");
    expect((await back(copy, returned)).location).toBe("/login?error=failed");
    expect(isIn({ jar: copy })).toBe(false);
  });

  it("with words when it is not configured, from other sites, and at next-auth's other doors", async () => {
    const { GITHUB_CLIENT_ID } = env();
    Object.assign(env(), { GITHUB_CLIENT_ID: undefined });
    const closed = await call(login, "/auth/login/github", { body: {} });
    Object.assign(env(), { GITHUB_CLIENT_ID });
    expect([closed.status, closed.body.code]).toEqual([503, "50301"]);
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
      const { status } = await back(new Jar(), new URL(`http://localhost:3000/api/auth/${path}`));
      expect(status, path).toBe(404);
    }
  });
});
