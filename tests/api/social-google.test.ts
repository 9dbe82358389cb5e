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

const createGoogleUser = (more: object = {}) => {
  const tag = randomUUID().slice(0, 12);
  return { sub: `sub-${tag}`, email: `g-${tag}@example.com`, email_verified: true, name: "Ada L.", ...more };
};
const pickClaims = ({ sub, email, email_verified, name }: ReturnType<typeof createGoogleUser>) => ({
  sub,
  email,
  email_verified,
  name,
});

/** Requests a nonce as a page does: returns the nonce and its cookie. */
async function requestNonce() {
  const { status, headers, body } = await call(askNonce, `${PATH}/nonce`, { method: "POST" });
  expect(status).toBe(200);
  const setCookie = headers.get("set-cookie") ?? "";
  return { nonce: body.data.nonce as string, setCookie, cookie: setCookie.split(";")[0] ?? "" };
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

async function sendRejected(token: string, cookie?: string) {
  const { status, body, headers } = await send(token, cookie);
  expect(headers.get("set-cookie")).toBeNull();
  return [status, body.code];
}
const REFUSED = [401, "40101"];

describe("login with Google", () => {
  it("creates a verified account for a valid token, and finds it again after an address change", async () => {
    const googleUser = createGoogleUser();
    const inviter = await createUser();
    const { nonce, cookie, setCookie } = await requestNonce();
    expect(setCookie).toMatch(/; Max-Age=3600; Path=\/api\/v1\/auth\/login\/google; HttpOnly; SameSite=Lax$/);
    const { status, headers, body } = await send(await google.idToken(googleUser, { nonce }), cookie, {
      body: { invited_account: inviter.inviteCode, source_info: { source: "mail", campaign: "may" } },
      headers: { "accept-language": "ja" },
    });
    expect([status, body.code]).toEqual([200, "200"]);
    expect(body.data).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      user_id: expect.stringMatching(/^usr_/),
      user_email: googleUser.email,
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
    const mails = await client()`select event from mails where to_address = ${googleUser.email}`;
    expect(mails.map(({ event }) => event)).toEqual(["welcome"]);
    const info = await call(getInfo, "/auth/get-info", {
      headers: { cookie: cookies[0]?.split(";")[0] ?? "" },
    });
    expect(info.body.data).toMatchObject({ user_id: body.data.user_id, email_verified: true });

    const later = await requestNonce();
    const renamed = { ...googleUser, email: `moved-${googleUser.email}` };
    const again = await send(await google.idToken(renamed, { nonce: later.nonce }), later.cookie);
    expect(again.body.data).toMatchObject({ user_id: body.data.user_id, user_email: googleUser.email });
  });

  it("accepts a token without a nonce from a client without the cookie, once", async () => {
    const token = await google.sign(pickClaims(createGoogleUser()));
    expect((await send(token)).status).toBe(200);
    expect(await sendRejected(token)).toEqual(REFUSED);
  });

  it("binds a nonce to its browser and accepts it once", async () => {
    const ownNonce = await requestNonce();
    const token = await google.idToken(createGoogleUser(), { nonce: ownNonce.nonce });
    expect(await sendRejected(token)).toEqual(REFUSED); // copied to a client without the cookie
    expect(await sendRejected(token, `google-nonce=${ownNonce.nonce}`)).toEqual(REFUSED); // the cookie cannot be derived from it
    expect(await sendRejected(token, (await requestNonce()).cookie)).toEqual(REFUSED); // another browser's
    expect(await sendRejected(await google.sign(pickClaims(createGoogleUser())), ownNonce.cookie)).toEqual(
      REFUSED,
    ); // none at all
    expect((await send(token, ownNonce.cookie)).status).toBe(200);
    expect(await sendRejected(token, ownNonce.cookie)).toEqual(REFUSED);
    const other = await google.idToken(createGoogleUser(), { nonce: ownNonce.nonce });
    expect(await sendRejected(other, ownNonce.cookie)).toEqual(REFUSED); // a new token with the used nonce
  });

  it("gives two tabs of one browser the same nonce until it is used", async () => {
    const first = await requestNonce();
    const second = await call(askNonce, `${PATH}/nonce`, {
      method: "POST",
      headers: { cookie: first.cookie },
    });
    expect(second.body.data.nonce).toBe(first.nonce);
    expect(second.headers.get("set-cookie")).toContain(first.cookie);
    const forged = await call(askNonce, `${PATH}/nonce`, {
      method: "POST",
      headers: { cookie: "google-nonce=guess" },
    });
    expect(forged.headers.get("set-cookie")).not.toContain("guess");
    // A rejection for another reason does not use up the token.
    const googleUser = createGoogleUser();
    const token = await google.idToken(googleUser, { nonce: first.nonce });
    await createUser({ email: googleUser.email, verified: false, role: "staff" });
    expect(await sendRejected(token, first.cookie)).toEqual(REFUSED);
    await client()`update users set email_verified_at = shop_now() where email = ${googleUser.email}`;
    expect((await send(token, first.cookie)).status).toBe(200);
  });

  it("succeeds again for a repeated Idempotency-Key", async () => {
    const { nonce, cookie } = await requestNonce();
    const token = await google.idToken(createGoogleUser(), { nonce });
    const options = { headers: { "idempotency-key": randomUUID() }, ip: "10.1.2.3" };
    const first = await send(token, cookie, options);
    const second = await send(token, cookie, options);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data.user_id).toBe(first.body.data.user_id);
  });

  it("rejects an unverified or missing address", async () => {
    const unverified = createGoogleUser({ email_verified: false });
    const { nonce, cookie } = await requestNonce();
    expect(await sendRejected(await google.idToken(unverified, { nonce }), cookie)).toEqual(REFUSED);
    const textClaim = { ...pickClaims(createGoogleUser()), email_verified: "true" };
    expect(await sendRejected(await google.sign(textClaim))).toEqual(REFUSED);
    const { email: _, ...withoutEmail } = pickClaims(createGoogleUser());
    expect(await sendRejected(await google.sign(withoutEmail))).toEqual(REFUSED);
    expect(await client()`select 1 from users where email = ${unverified.email}`).toHaveLength(0);
  });

  it("rejects tokens with a wrong audience, issuer, age, content or signature", async () => {
    const googleUser = pickClaims(createGoogleUser());
    const now = Math.floor(Date.now() / 1000);
    const otherProvider = new OpenidProvider();
    await otherProvider.start();
    const { nonce, cookie } = await requestNonce();
    const wrongAudience = await google.idToken(createGoogleUser(), { nonce, client: "another" });
    const wrongIssuer = await otherProvider.idToken(createGoogleUser(), { nonce });
    await otherProvider.stop();
    expect(await sendRejected(wrongAudience, cookie)).toEqual(REFUSED);
    expect(await sendRejected(wrongIssuer, cookie)).toEqual(REFUSED);
    const validToken = await google.sign(googleUser);
    const [head = "", , signature = ""] = validToken.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const validClaims = { ...googleUser, iss: google.issuer, aud: "shop", iat: now, exp: now + 3600 };
    const publicKey = createHash("sha256").update("public").digest("base64url");
    const invalidTokens: Record<string, string> = {
      "other audience": await google.sign({ ...googleUser, aud: "another" }),
      "several audiences": await google.sign({ ...googleUser, aud: ["shop", "another"] }),
      "other issuer": await google.sign({ ...googleUser, iss: "https://accounts.google.com" }),
      expired: await google.sign({ ...googleUser, iat: now - 4000, exp: now - 60 }),
      "too old": await google.sign({ ...googleUser, iat: now - 3 * 3600, exp: now + 3600 }),
      "issued in the future": await google.sign({ ...googleUser, iat: now + 86_400, exp: now + 90_000 }),
      "without expiry": await google.sign({ ...googleUser, exp: undefined }),
      "without subject": await google.sign({ ...googleUser, sub: undefined }),
      "unknown key": await google.sign(googleUser, { kid: "tests-2" }),
      changed: [head, encode({ ...validClaims, sub: "somebody else" }), signature].join("."),
      unsigned: `${encode({ alg: "none" })}.${encode(validClaims)}.`,
      "signed with the public key": `${encode({ alg: "HS256", kid: "tests-1" })}.${encode(validClaims)}.${publicKey}`,
      "not a token": "no token",
    };
    for (const [name, token] of Object.entries(invalidTokens))
      expect(await sendRejected(token), name).toEqual(REFUSED);
    expect(await client()`select 1 from users where email = ${googleUser.email}`).toHaveLength(0);
    expect((await send(validToken)).status).toBe(200);
  });

  it("responds 503 when it is not configured or the keys cannot be fetched", async () => {
    const token = await google.sign(pickClaims(createGoogleUser()));
    // Nothing replaces a provider where emails are real.
    Object.assign(env(), { GOOGLE_CLIENT_ID: undefined, MAIL_MODE: "resend" });
    expect(await sendRejected(token)).toEqual([503, "50301"]);
    const nonceResponse = await call(askNonce, `${PATH}/nonce`, { method: "POST" });
    expect([nonceResponse.status, nonceResponse.body.code]).toEqual([503, "50301"]);
    Object.assign(env(), {
      GOOGLE_CLIENT_ID: "shop",
      GOOGLE_ISSUER: "http://127.0.0.1:9",
      MAIL_MODE: "local",
    });
    expect(await sendRejected(token)).toEqual([503, "50301"]);
    Object.assign(env(), { GOOGLE_ISSUER: `${google.issuer}/nowhere` });
    expect(await sendRejected(token)).toEqual([503, "50301"]);
    Object.assign(env(), { GOOGLE_ISSUER: google.issuer });
    expect((await send(token)).status).toBe(200); // the failure is not cached
  });

  it("rejects another origin", async () => {
    const headers = { origin: "https://evil.example" };
    const { status } = await send(await google.sign(pickClaims(createGoogleUser())), undefined, { headers });
    expect(status).toBe(403);
  });
});
