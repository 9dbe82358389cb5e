import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { POST as verifyEmail } from "@/app/api/v1/auth/email/verify-code/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as registerDirect } from "@/app/api/v1/auth/register/direct/route";
import { POST as registerEmail } from "@/app/api/v1/auth/register/email/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { GET as summary } from "@/app/api/v1/auth/session-summary/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { call } from "./call";

afterAll(closeDatabase);

const fresh = () => `new-${randomUUID().slice(0, 12)}@example.com`;
const password = "a long enough password";

async function mailedCode(email: string, verification_type = "register") {
  const { status, body } = await call(sendCode, "/auth/send-verification-code", {
    body: { email, verification_type },
  });
  expect(status).toBe(200);
  return {
    verification_id: body.data.verification_id as string,
    verification_code: deriveVerificationCode(body.data.verification_id),
  };
}

const register = async (email: string, more: object = {}, headers: Record<string, string> = {}) =>
  call(registerEmail, "/auth/register/email", {
    body: { user_email: email, user_password: password, ...(await mailedCode(email)), ...more },
    headers,
  });

describe("registration with a code", () => {
  it("opens a verified account, signs it in, and writes the welcome mail", async () => {
    const email = fresh();
    const inviter = await createUser();
    const { status, headers, body } = await register(` ${email.toUpperCase()} `.trim(), {
      username: "Mei 林",
      accept_privacy: true,
      age_group: "adult",
      invited_account: inviter.inviteCode,
      auth_provider: "email",
      create_user_id: "",
      source_info: { source: "mail", timestamp: 12, landingPage: "/", unheard: "of" },
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

  it("tells that the address is taken only to who proved it", async () => {
    const owner = await createUser();
    const sent = await mailedCode(owner.email); // answered as for any address
    const tooSoon = { email: owner.email.toUpperCase(), verification_type: "register" };
    const refused = await call(sendCode, "/auth/send-verification-code", { body: tooSoon });
    expect([refused.status, refused.body.code]).toEqual([429, "42901"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    const guess = { user_email: owner.email, user_password: password, verification_code: "000000" };
    expect((await call(registerEmail, "/auth/register/email", { body: guess })).body.code).toBe("40001");
    const proved = { ...guess, ...sent };
    const { status, body } = await call(registerEmail, "/auth/register/email", { body: proved });
    expect([status, body.code, body.message]).toEqual([409, "409", "Email already in use"]);
  });

  it("says what is wrong, field by field", async () => {
    const email = fresh();
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

  it("refuses another's create_user_id", async () => {
    const other = await createUser();
    const body = {
      user_email: fresh(),
      user_password: password,
      verification_code: "123456",
      create_user_id: other.id,
    };
    expect((await call(registerEmail, "/auth/register/email", { body })).body.code).toBe("40300");
  });

  it("answers a repeated Idempotency-Key with a session again, and stores no token", async () => {
    const email = fresh();
    const key = { "idempotency-key": randomUUID() };
    const body = { user_email: email, user_password: password, ...(await mailedCode(email)) };
    const ip = "198.51.100.9";
    const first = await call(registerEmail, "/auth/register/email", { body, headers: key, ip });
    const again = await call(registerEmail, "/auth/register/email", { body, headers: key, ip });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data.user_id).toBe(first.body.data.user_id);
    const kept = await client()`select body from idempotency_keys where key = ${key["idempotency-key"]}`;
    expect(kept.map((row) => row.body)).toEqual([null]);
  });

  it("opens one account when two register the same address at once", async () => {
    const email = fresh();
    const body = { user_email: email, user_password: password };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(registerDirect, "/auth/register/direct", { body })),
    );
    expect(answers.map((answer) => answer.body.code).sort()).toEqual(["200", "409", "409", "409", "409"]);
  });
});

describe("an address that another typed first", () => {
  const direct = (email: string) =>
    call(registerDirect, "/auth/register/direct", {
      body: { user_email: email, user_password: "squatter's own" },
    });
  const getWith = (token: string) =>
    call(getInfo, "/auth/get-info", { headers: { authorization: `Bearer ${token}` } });

  it("goes to the owner who proves it: new password and name, the other's sessions and addresses gone", async () => {
    const email = fresh();
    const squatter = (await direct(email)).body.data;
    const [before] = await client()`select invite_code from users where id = ${squatter.user_id}`;
    await client()`insert into verified_emails (user_id, email) values (${squatter.user_id}, ${fresh()})`;
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
      (select count(*)::int from verified_emails where user_id = id) as proved from users where id = ${squatter.user_id}`;
    expect(after).toMatchObject({ invited_by: null, proved: 0 });
    expect(after?.invite_code).not.toBe(before?.invite_code);
  });

  it("stays with who has proved it, and nothing happens without the right code", async () => {
    const email = fresh();
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

  it("is taken over once by two who hold the same code", async () => {
    const email = fresh();
    await direct(email);
    const body = { user_email: email, user_password: password, ...(await mailedCode(email)) };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call(registerEmail, "/auth/register/email", { body })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

describe("direct registration", () => {
  it("opens an unverified account", async () => {
    const body = {
      user_email: fresh(),
      user_password: password,
      tracking_id: "t1",
      id: "m7",
      invited_account: "nobody",
    };
    const answer = await call(registerDirect, "/auth/register/direct", { body });
    expect(answer.status).toBe(200);
    const [row] = await client()`select email_verified_at, invited_by, username, signup_source from users
      where id = ${answer.body.data.user_id}`;
    expect(row).toMatchObject({
      email_verified_at: null,
      invited_by: null,
      signup_source: { tracking_id: "t1", id: "m7" },
    });
    expect(row?.username).toBe(body.user_email.split("@")[0]);
    const again = await call(registerDirect, "/auth/register/direct", { body });
    expect(again.body.code).toBe("409");
  });
});

describe("proving a delivery address", () => {
  it("takes the code that was sent for it to this user", async () => {
    const user = await createSignedInUser();
    const email = fresh();
    const headers = { authorization: user.bearer };
    const wanted = { email, verification_type: "order_email" };
    const sent = await call(sendCode, "/auth/send-verification-code", { body: wanted, headers });
    const code = deriveVerificationCode(sent.body.data.verification_id);
    const other = await createSignedInUser();
    const stolen = await call(verifyEmail, "/auth/email/verify-code", {
      body: { email, code },
      headers: { authorization: other.bearer },
    });
    expect(stolen.body.code).toBe("40002");
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const { body } = await call(verifyEmail, "/auth/email/verify-code", {
      body: { email, code: spaced },
      headers,
    });
    expect(body.data).toEqual({ email, is_verified: true });
    const rows = await client()`select email from verified_emails where user_id = ${user.id}`;
    expect(rows.map((row) => row.email)).toEqual([email]);
  });

  it("needs a session to ask for such a code", async () => {
    const body = { email: fresh(), verification_type: "order_email" };
    expect((await call(sendCode, "/auth/send-verification-code", { body })).body.code).toBe("401");
  });
});

describe("the summary for the header", () => {
  it("knows a guest", async () => {
    const { body } = await call(summary, "/auth/session-summary");
    expect(body.data).toEqual({ signed_in: false, cart_count: 0 });
  });
});
