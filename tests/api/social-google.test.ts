import { createHash, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as askNonce } from "@/app/api/v1/auth/login/google/nonce/route";
import { POST as login } from "@/app/api/v1/auth/login/google/route";
import { client, closeDatabase } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { env } from "@/lib/platform/env";
import { OpenidProvider } from "../setup/openid";
import { call } from "./call";

const google = new OpenidProvider();
const PATH = "/auth/login/google";

beforeAll(async () => {
  Object.assign(env(), { GOOGLE_ISSUER: await google.start(), GOOGLE_CLIENT_ID: "shop" });
});
afterEach(() => void Object.assign(env(), { GOOGLE_ISSUER: google.issuer, GOOGLE_CLIENT_ID: "shop" }));
afterAll(async () => {
  await google.stop();
  await closeDatabase();
});

const someone = (more: object = {}) => {
  const tag = randomUUID().slice(0, 12);
  return { sub: `sub-${tag}`, email: `g-${tag}@example.com`, email_verified: true, name: "Ada L.", ...more };
};
const claimsOf = ({ sub, email, email_verified, name }: ReturnType<typeof someone>) => ({
  sub,
  email,
  email_verified,
  name,
});

/** A page that asks for a nonce: the nonce for the token, and the cookie that comes back with it. */
async function page() {
  const { status, headers, body } = await call(askNonce, `${PATH}/nonce`, { method: "POST" });
  expect(status).toBe(200);
  const line = headers.get("set-cookie") ?? "";
  return { nonce: body.data.nonce as string, line, cookie: line.split(";")[0] ?? "" };
}

const send = (
  google_token: string,
  cookie?: string,
  more: { body?: object; headers?: object; ip?: string } = {},
) =>
  call(login, PATH, {
    body: { google_token, ...more.body },
    headers: { ...(cookie && { cookie }), ...more.headers },
    ...(more.ip && { ip: more.ip }),
  });

async function refusal(token: string, cookie?: string) {
  const { status, body, headers } = await send(token, cookie);
  expect(headers.get("set-cookie")).toBeNull();
  return [status, body.code];
}
const REFUSED = [401, "40101"];

describe("login with Google", () => {
  it("opens a verified account for a real token of the provider, and then the same one again", async () => {
    const person = someone();
    const inviter = await createUser();
    const { nonce, cookie, line } = await page();
    expect(line).toMatch(/; Max-Age=3600; Path=\/api\/v1\/auth\/login\/google; HttpOnly; SameSite=Lax$/);
    const { status, headers, body } = await send(await google.idToken(person, { nonce }), cookie, {
      body: { invited_account: inviter.inviteCode, source_info: { source: "mail", campaign: "may" } },
      headers: { "accept-language": "ja" },
    });
    expect([status, body.code]).toEqual([200, "200"]);
    expect(body.data).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      user_id: expect.stringMatching(/^usr_/),
      user_email: person.email,
      username: "Ada L.",
      phone: null,
      country_code: null,
    });
    const cookies = headers.getSetCookie();
    expect(cookies[0]).toMatch(
      /^next-auth\.session-token=.+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies[1]).toMatch(/^google-nonce=; .*Max-Age=0/);
    const [row] =
      await client()`select email_verified_at is not null as verified, privacy_accepted_at is not null as
      accepted, password_hash, invited_by, signup_source, locale from users where id = ${body.data.user_id}`;
    expect(row).toEqual({
      verified: true,
      accepted: true,
      password_hash: null,
      invited_by: inviter.id,
      signup_source: { source: "mail", campaign: "may" },
      locale: "ja",
    });
    const mails = await client()`select event from mails where to_address = ${person.email}`;
    expect(mails.map(({ event }) => event)).toEqual(["welcome"]);
    const info = await call(getInfo, "/auth/get-info", {
      headers: { cookie: cookies[0]?.split(";")[0] ?? "" },
    });
    expect(info.body.data).toMatchObject({ user_id: body.data.user_id, email_verified: true });

    const later = await page();
    const renamed = { ...person, email: `moved-${person.email}` };
    const again = await send(await google.idToken(renamed, { nonce: later.nonce }), later.cookie);
    expect(again.body.data).toMatchObject({ user_id: body.data.user_id, user_email: person.email });
  });

  it("takes a token without a nonce from a caller without the cookie, once", async () => {
    const token = await google.sign(claimsOf(someone()));
    expect((await send(token)).status).toBe(200);
    expect(await refusal(token)).toEqual(REFUSED);
  });

  it("binds a nonce to its browser and takes it once", async () => {
    const mine = await page();
    const token = await google.idToken(someone(), { nonce: mine.nonce });
    expect(await refusal(token)).toEqual(REFUSED); // copied to a caller without the cookie
    expect(await refusal(token, `google-nonce=${mine.nonce}`)).toEqual(REFUSED); // the cookie cannot be made of it
    expect(await refusal(token, (await page()).cookie)).toEqual(REFUSED); // another browser's
    expect(await refusal(await google.sign(claimsOf(someone())), mine.cookie)).toEqual(REFUSED); // none at all
    expect((await send(token, mine.cookie)).status).toBe(200);
    expect(await refusal(token, mine.cookie)).toEqual(REFUSED);
    const other = await google.idToken(someone(), { nonce: mine.nonce });
    expect(await refusal(other, mine.cookie)).toEqual(REFUSED); // a new token with the used nonce
  });

  it("gives two tabs of a browser the same nonce until it is used", async () => {
    const first = await page();
    const second = await call(askNonce, `${PATH}/nonce`, {
      method: "POST",
      headers: { cookie: first.cookie },
    });
    expect(second.body.data.nonce).toBe(first.nonce);
    expect(second.headers.get("set-cookie")).toContain(first.cookie);
    const odd = await call(askNonce, `${PATH}/nonce`, {
      method: "POST",
      headers: { cookie: "google-nonce=guess" },
    });
    expect(odd.headers.get("set-cookie")).not.toContain("guess");
    // A refusal that is no fault of the token's leaves it whole.
    const person = someone();
    const token = await google.idToken(person, { nonce: first.nonce });
    await createUser({ email: person.email, verified: false, role: "staff" });
    expect(await refusal(token, first.cookie)).toEqual(REFUSED);
    await client()`update users set email_verified_at = shop_now() where email = ${person.email}`;
    expect((await send(token, first.cookie)).status).toBe(200);
  });

  it("answers a call that is sent again under its Idempotency-Key", async () => {
    const { nonce, cookie } = await page();
    const token = await google.idToken(someone(), { nonce });
    const same = { headers: { "idempotency-key": randomUUID() }, ip: "10.1.2.3" };
    const first = await send(token, cookie, same);
    const second = await send(token, cookie, same);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data.user_id).toBe(first.body.data.user_id);
  });

  it("refuses whom the provider does not vouch for", async () => {
    const unsure = someone({ email_verified: false });
    const { nonce, cookie } = await page();
    expect(await refusal(await google.idToken(unsure, { nonce }), cookie)).toEqual(REFUSED);
    const said = { ...claimsOf(someone()), email_verified: "true" };
    expect(await refusal(await google.sign(said))).toEqual(REFUSED);
    const { email: _, ...nameless } = claimsOf(someone());
    expect(await refusal(await google.sign(nameless))).toEqual(REFUSED);
    expect(await client()`select 1 from users where email = ${unsure.email}`).toHaveLength(0);
  });

  it("refuses tokens for others, of others, too old, changed or not signed", async () => {
    const person = claimsOf(someone());
    const now = Math.floor(Date.now() / 1000);
    const elsewhere = new OpenidProvider();
    await elsewhere.start();
    const { nonce, cookie } = await page();
    const forAnother = await google.idToken(someone(), { nonce, client: "another" });
    const ofAnother = await elsewhere.idToken(someone(), { nonce });
    await elsewhere.stop();
    expect(await refusal(forAnother, cookie)).toEqual(REFUSED);
    expect(await refusal(ofAnother, cookie)).toEqual(REFUSED);
    const good = await google.sign(person);
    const [head = "", , seal = ""] = good.split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const usual = { ...person, iss: google.issuer, aud: "shop", iat: now, exp: now + 3600 };
    const publicKey = createHash("sha256").update("public").digest("base64url");
    const bad: Record<string, string> = {
      "for another": await google.sign({ ...person, aud: "another" }),
      "for several": await google.sign({ ...person, aud: ["shop", "another"] }),
      "of another": await google.sign({ ...person, iss: "https://accounts.google.com" }),
      expired: await google.sign({ ...person, iat: now - 4000, exp: now - 60 }),
      "too old": await google.sign({ ...person, iat: now - 3 * 3600, exp: now + 3600 }),
      "from tomorrow": await google.sign({ ...person, iat: now + 86_400, exp: now + 90_000 }),
      endless: await google.sign({ ...person, exp: undefined }),
      nobody: await google.sign({ ...person, sub: undefined }),
      "unknown key": await google.sign(person, { kid: "tests-2" }),
      changed: [head, part({ ...usual, sub: "somebody else" }), seal].join("."),
      unsigned: `${part({ alg: "none" })}.${part(usual)}.`,
      "signed by guess": `${part({ alg: "HS256", kid: "tests-1" })}.${part(usual)}.${publicKey}`,
      nothing: "no token",
    };
    for (const [name, token] of Object.entries(bad)) expect(await refusal(token), name).toEqual(REFUSED);
    expect(await client()`select 1 from users where email = ${person.email}`).toHaveLength(0);
    expect((await send(good)).status).toBe(200);
  });

  it("says that it is unavailable when it is not configured or the keys cannot be read", async () => {
    const token = await google.sign(claimsOf(someone()));
    Object.assign(env(), { GOOGLE_CLIENT_ID: undefined });
    expect(await refusal(token)).toEqual([503, "50301"]);
    const asked = await call(askNonce, `${PATH}/nonce`, { method: "POST" });
    expect([asked.status, asked.body.code]).toEqual([503, "50301"]);
    Object.assign(env(), { GOOGLE_CLIENT_ID: "shop", GOOGLE_ISSUER: "http://127.0.0.1:9" });
    expect(await refusal(token)).toEqual([503, "50301"]);
    Object.assign(env(), { GOOGLE_ISSUER: `${google.issuer}/nowhere` });
    expect(await refusal(token)).toEqual([503, "50301"]);
    Object.assign(env(), { GOOGLE_ISSUER: google.issuer });
    expect((await send(token)).status).toBe(200); // nothing of it was kept
  });

  it("refuses a page of another site", async () => {
    const headers = { origin: "https://evil.example" };
    const { status } = await send(await google.sign(claimsOf(someone())), undefined, { headers });
    expect(status).toBe(403);
  });
});
