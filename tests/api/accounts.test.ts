import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { POST as verifyEmail } from "@/app/api/v1/auth/email/verify-code/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as registerDirect } from "@/app/api/v1/auth/register/direct/route";
import { POST as registerEmail } from "@/app/api/v1/auth/register/email/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { GET as summary } from "@/app/api/v1/auth/session-summary/route";
import { GET as signInForm } from "@/app/api/v1/auth/sign-in-form/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { requestMailedCode, uniqueEmail } from "./account-steps";
import { call } from "./call";

afterAll(closeDatabase);

const password = "a long enough password";
const mailedCode = (email: string) => requestMailedCode(email, "register");

const register = async (email: string, more: object = {}, headers: Record<string, string> = {}) =>
  call(registerEmail, "/auth/register/email", {
    body: { user_email: email, user_password: password, ...(await mailedCode(email)), ...more },
    headers,
  });

describe("the in-place sign-in form", () => {
  it("has its providers and all texts, in the reader's language and without placeholders", async () => {
    const texts = await Promise.all(
      ["en", "zh", "ja"].map(async (language) => {
        const { body } = await call(signInForm, "/auth/sign-in-form", { query: `target_lang=${language}` });
        expect(body.data).toMatchObject({ google: { client_id: "sandbox" }, github: true });
        return Object.values(body.data.labels as Record<string, string>);
      }),
    );
    for (const labels of texts) for (const label of labels) expect(label).not.toMatch(/^$|[{}]|^\w+\.\w+/);
    expect(new Set(texts.map(String)).size).toBe(3);
  });
});

describe("registration with an email code", () => {
  it("creates a verified account, signs it in and sends the welcome email", async () => {
    const email = uniqueEmail();
    const inviter = await createUser();
    const { status, headers, body } = await register(` ${email.toUpperCase()} `.trim(), {
      username: "Mei 林",
      accept_privacy: true,
      age_group: "adult",
      invited_account: inviter.inviteCode,
      auth_provider: "email",
      create_user_id: "",
      source_info: { source: "mail", timestamp: 12, landingPage: "/", unknownField: "x" },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      user_id: expect.stringMatching(/^usr_/),
      user_email: email,
      username: "Mei 林",
      phone: null,
      country_code: null,
    });
    expect(headers.get("set-cookie")).toMatch(
      /^next-auth\.session-token=.+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const [row] =
      await client()`select email_verified_at is not null as verified, invited_by, signup_source, age_group,
      privacy_accepted_at is not null as accepted, password_hash from users where id = ${body.data.user_id}`;
    expect(row).toMatchObject({ verified: true, invited_by: inviter.id, age_group: "adult", accepted: true });
    expect(row?.signup_source).toEqual({ source: "mail", timestamp: "12", landingPage: "/" });
    expect(row?.password_hash).toMatch(/^\$argon2id\$/);
    const mails = await client()`select event from mails where to_address = ${email} order by created_at`;
    expect(mails.map((mail) => mail.event)).toEqual(["verification-code", "welcome"]);
    const info = await call(getInfo, "/auth/get-info", {
      headers: { authorization: `Bearer ${body.data.token}` },
    });
    expect(info.body.data).toMatchObject({ user_id: body.data.user_id, email_verified: true, role: "user" });
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await call(summary, "/auth/session-summary", { headers: { cookie } })).body.data).toEqual({
      signed_in: true,
      user_id: body.data.user_id,
      username: "Mei 林",
      cart_count: 0,
    });
  });

  it("reveals that an address is taken only to a client with its code", async () => {
    const owner = await createUser();
    const code = await mailedCode(owner.email); // same response as for any address
    const tooSoon = { email: owner.email.toUpperCase(), verification_type: "register" };
    const rejected = await call(sendCode, "/auth/send-verification-code", { body: tooSoon });
    expect([rejected.status, rejected.body.code]).toEqual([429, "42901"]);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(50);
    const guess = { user_email: owner.email, user_password: password, verification_code: "000000" };
    expect((await call(registerEmail, "/auth/register/email", { body: guess })).body.code).toBe("40001");
    const withCode = { ...guess, ...code };
    const { status, body } = await call(registerEmail, "/auth/register/email", { body: withCode });
    expect([status, body.code, body.message]).toEqual([409, "409", "Email already in use"]);
  });

  it("names each invalid field with its message", async () => {
    const email = uniqueEmail();
    const base = { user_email: email, user_password: password, verification_code: "123456" };
    const cases = [
      [{ user_password: "1234567" }, "Password must be at least 8 characters long"],
      [{ accept_privacy: false }, "Please agree to the Privacy Policy"],
      [{ user_email: "nobody" }, "Please enter a valid email address"],
    ] as const;
    for (const [wrong, message] of cases) {
      const { body } = await call(registerEmail, "/auth/register/email", { body: { ...base, ...wrong } });
      expect([body.code, body.message]).toEqual(["40000", message]);
    }
    const child = await call(registerEmail, "/auth/register/email", {
      body: { ...base, age_group: "under_13" },
    });
    expect(child.status).toBe(400);
  });

  it("rejects another user's create_user_id", async () => {
    const other = await createUser();
    const body = {
      user_email: uniqueEmail(),
      user_password: password,
      verification_code: "123456",
      create_user_id: other.id,
    };
    expect((await call(registerEmail, "/auth/register/email", { body })).body.code).toBe("40300");
  });

  it("returns a session again for a repeated Idempotency-Key, and stores no token", async () => {
    const email = uniqueEmail();
    const key = { "idempotency-key": randomUUID() };
    const body = { user_email: email, user_password: password, ...(await mailedCode(email)) };
    const ip = "198.51.100.9";
    const first = await call(registerEmail, "/auth/register/email", { body, headers: key, ip });
    const repeated = await call(registerEmail, "/auth/register/email", { body, headers: key, ip });
    expect([first.status, repeated.status]).toEqual([200, 200]);
    expect(repeated.body.data.user_id).toBe(first.body.data.user_id);
    const stored = await client()`select body from idempotency_keys where key = ${key["idempotency-key"]}`;
    expect(stored.map((row) => row.body)).toEqual([null]);
  });

  it("creates one account under concurrent registrations of one address", async () => {
    const email = uniqueEmail();
    const body = { user_email: email, user_password: password };
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => call(registerDirect, "/auth/register/direct", { body })),
    );
    expect(responses.map((response) => response.body.code).sort()).toEqual([
      "200",
      "409",
      "409",
      "409",
      "409",
    ]);
  });
});

describe("an address registered first by another client", () => {
  const direct = (email: string) =>
    call(registerDirect, "/auth/register/direct", {
      body: { user_email: email, user_password: "squatter's own" },
    });
  const getWith = (token: string) =>
    call(getInfo, "/auth/get-info", { headers: { authorization: `Bearer ${token}` } });

  it("moves to the owner who verifies it, with a new password and name and without the earlier sessions and addresses", async () => {
    const email = uniqueEmail();
    const squatter = (await direct(email)).body.data;
    const [before] = await client()`select invite_code from users where id = ${squatter.user_id}`;
    await client()`insert into verified_emails (user_id, email) values (${squatter.user_id}, ${uniqueEmail()})`;
    const { status, body } = await register(email, {
      username: "Owner",
      invited_account: before?.invite_code,
    });
    expect([status, body.data.user_id, body.data.username]).toEqual([200, squatter.user_id, "Owner"]);
    expect((await getWith(squatter.token)).status).toBe(401);
    expect((await getWith(body.data.token)).body.data).toMatchObject({ email_verified: true });
    const logInWith = (user_password: string) =>
      call(login, "/auth/login/email", { body: { user_email: email, user_password } });
    expect((await logInWith("squatter's own")).body.code).toBe("40101");
    expect((await logInWith(password)).status).toBe(200);
    const [after] = await client()`select invite_code, invited_by,
      (select count(*)::int from verified_emails where user_id = id) as verified from users where id = ${squatter.user_id}`;
    expect(after).toMatchObject({ invited_by: null, verified: 0 });
    expect(after?.invite_code).not.toBe(before?.invite_code);
  });

  it("stays with a verified owner, and a wrong code changes nothing", async () => {
    const email = uniqueEmail();
    const squatter = (await direct(email)).body.data;
    const wrong = { user_email: email, user_password: password, verification_code: "000000" };
    await mailedCode(email);
    expect((await call(registerEmail, "/auth/register/email", { body: wrong })).body.code).toBe("40001");
    expect((await getWith(squatter.token)).status).toBe(200);
    const owner = await createSignedInUser();
    expect((await register(owner.email)).body.code).toBe("409");
    expect((await getWith(owner.token)).body.data).toMatchObject({ username: owner.username });
    const staff = await createSignedInUser({ verified: false, role: "staff" });
    expect((await register(staff.email)).body.code).toBe("409");
  });

  it("is reclaimed once under concurrent use of one code", async () => {
    const email = uniqueEmail();
    await direct(email);
    const body = { user_email: email, user_password: password, ...(await mailedCode(email)) };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => call(registerEmail, "/auth/register/email", { body })),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  });
});

describe("direct registration", () => {
  it("creates an unverified account", async () => {
    const body = {
      user_email: uniqueEmail(),
      user_password: password,
      tracking_id: "t1",
      id: "m7",
      invited_account: "nobody",
    };
    const response = await call(registerDirect, "/auth/register/direct", { body });
    expect(response.status).toBe(200);
    const [row] = await client()`select email_verified_at, invited_by, username, signup_source from users
      where id = ${response.body.data.user_id}`;
    expect(row).toMatchObject({
      email_verified_at: null,
      invited_by: null,
      signup_source: { tracking_id: "t1", id: "m7" },
    });
    expect(row?.username).toBe(body.user_email.split("@")[0]);
    const repeated = await call(registerDirect, "/auth/register/direct", { body });
    expect(repeated.body.code).toBe("409");
  });
});

describe("verification of a delivery address", () => {
  it("accepts the code that this user requested for it", async () => {
    const user = await createSignedInUser();
    const email = uniqueEmail();
    const headers = { authorization: user.bearer };
    const request = { email, verification_type: "order_email" };
    const sent = await call(sendCode, "/auth/send-verification-code", { body: request, headers });
    const code = deriveVerificationCode(sent.body.data.verification_id);
    const other = await createSignedInUser();
    const byOtherUser = await call(verifyEmail, "/auth/email/verify-code", {
      body: { email, code },
      headers: { authorization: other.bearer },
    });
    expect(byOtherUser.body.code).toBe("40002");
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const { body } = await call(verifyEmail, "/auth/email/verify-code", {
      body: { email, code: spaced },
      headers,
    });
    expect(body.data).toEqual({ email, is_verified: true });
    const rows = await client()`select email from verified_emails where user_id = ${user.id}`;
    expect(rows.map((row) => row.email)).toEqual([email]);
  });

  it("requires a session to request such a code", async () => {
    const body = { email: uniqueEmail(), verification_type: "order_email" };
    expect((await call(sendCode, "/auth/send-verification-code", { body })).body.code).toBe("401");
  });
});

describe("session summary", () => {
  it("of a guest has an empty cart", async () => {
    const { body } = await call(summary, "/auth/session-summary");
    expect(body.data).toEqual({ signed_in: false, cart_count: 0 });
  });
});
