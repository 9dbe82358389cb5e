import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { POST as updateEmail } from "@/app/api/v1/auth/email/update/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as reauthenticate } from "@/app/api/v1/auth/reauthenticate/route";
import { POST as resetPassword } from "@/app/api/v1/auth/reset-password/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { POST as verifyResetCode } from "@/app/api/v1/auth/verify-reset-code/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser, type SignedInUser } from "@/db/factories/accounts";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import type { Handler } from "@/lib/platform/api/declaration";
import { call, type Sent } from "./call";

afterAll(closeDatabase);

const fresh = () => `sec-${randomUUID().slice(0, 12)}@example.com`;
const as = (user: SignedInUser, body?: object, more: Partial<Sent> = {}): Sent => ({
  body,
  ...more,
  headers: { authorization: user.bearer, ...more.headers },
});
const byCookie = (user: SignedInUser, body?: object): Sent => ({
  body,
  headers: { cookie: user.cookie, origin: "http://localhost:3000" },
});
const age = (user: SignedInUser) =>
  client()`update sessions set reauthenticated_at = reauthenticated_at - interval '16 minutes' where id = ${user.viewer.sessionId}`;

/** Asks for a code and reads it in the mailbox; `verification_id` is what the call answered. */
async function mailedCode(email: string, verification_type: string, sent: Sent = {}) {
  const { body } = await call(sendCode, "/auth/send-verification-code", {
    ...sent,
    body: { email, verification_type },
  });
  const { verification_id } = body.data;
  return { verification_id, verification_code: deriveVerificationCode(verification_id) };
}

describe("a forgotten password", () => {
  const forget = (handler: Handler, path: string, body: object, more: Sent = {}) =>
    call(handler, path, { body, ...more });

  it("is replaced over the two calls, also as a form and with a spaced code", async () => {
    const user = await createSignedInUser();
    const code = await mailedCode(user.email, "reset_password");
    const looked = await forget(verifyResetCode, "/auth/verify-reset-code", { email: user.email, ...code });
    expect(looked.body).toMatchObject({ code: "200", data: { verified: true } });
    const spaced = code.verification_code.replace(/^(...)/, "$1 ");
    const raw = new URLSearchParams({
      email: user.email,
      new_password: "a new password",
      verification_code: spaced,
    });
    const done = await call(resetPassword, "/auth/reset-password", { raw });
    expect(done.body).toMatchObject({ code: "200", data: { reset: true } });
    const info = await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } });
    expect(info.body.code).toBe("401");
    const body = { user_email: user.email, user_password: "a new password" };
    expect((await call(login, "/auth/login/email", { body })).status).toBe(200);
  });

  it("answers alike, in words and time, whether the address is known, at each step", async () => {
    const tries = async (email: string) => {
      const ip = "10.40.50.60"; // without its id a code has five tries only where it was asked for
      const { verification_id } = await mailedCode(email, "reset_password", { ip });
      const wrong = deriveVerificationCode(verification_id).replace(/./g, (digit) =>
        String((Number(digit) + 1) % 10),
      );
      const body = { email, verification_code: wrong, new_password: "a new password" };
      const { new_password: _, ...looked } = body;
      const answers = [];
      const times = [];
      for (let i = 0; i < 5; i++) {
        const began = performance.now();
        const verified = await forget(verifyResetCode, "/auth/verify-reset-code", looked, { ip });
        answers.push([verified.status, verified.body]);
        const done = await forget(resetPassword, "/auth/reset-password", body, { ip });
        answers.push([done.status, done.body]);
        times.push(performance.now() - began);
      }
      return { answers, ms: Math.min(...times) };
    };
    await tries(fresh()); // warm
    const [known, unknown] = [await tries((await createUser()).email), await tries(fresh())];
    expect(unknown.answers).toEqual(known.answers);
    expect(known.answers.map(([status]) => status)).toEqual([...Array(5).fill(400), ...Array(5).fill(429)]);
    expect(unknown.ms).toBeGreaterThan(known.ms * 0.3);
    expect(unknown.ms).toBeLessThan(known.ms * 3);
  });

  it("says what is wrong in the language asked for", async () => {
    const cases = [
      [{ new_password: "short" }, "Password must be at least 8 characters long"],
      [{ email: "nobody" }, "Please enter a valid email address"],
      [{ verification_code: "12" }, "The verification code is not correct."],
      [{ user_id: "usr_x" }, null],
    ] as const;
    const base = { email: fresh(), new_password: "long enough", verification_code: "123456" };
    for (const [wrong, message] of cases) {
      const { status, body } = await forget(resetPassword, "/auth/reset-password", { ...base, ...wrong });
      expect(status).toBe(400);
      if (message) expect(body.message).toBe(message);
    }
    const zh = await forget(resetPassword, "/auth/reset-password", { ...base, target_lang: "zh" });
    expect([zh.status, zh.body.code]).toEqual([400, "40002"]);
    expect(zh.body.message).toMatch(/验证码/);
  });

  it("tells in the reader's language that it was changed", async () => {
    const { email } = await createUser();
    const code = await mailedCode(email, "reset_password");
    const headers = { "accept-language": "ja" };
    await forget(
      resetPassword,
      "/auth/reset-password",
      { email, new_password: "a new password", ...code },
      { headers },
    );
    const [mail] =
      await client()`select locale from mails where to_address = ${email} and event = 'account-notice'`;
    expect(mail?.locale).toBe("ja");
  });
});

describe("a new e-mail", () => {
  it("answers like a login: new tokens, a new cookie, and the old ones are dead", async () => {
    const user = await createSignedInUser();
    const email = fresh();
    const code = await mailedCode(email, "change_email", as(user));
    const { status, body, headers } = await call(
      updateEmail,
      "/auth/email/update",
      byCookie(user, { new_email: email, ...code }),
    );
    expect([status, body.data.user_email]).toEqual([200, email]);
    const cookie =
      headers
        .getSetCookie()
        .find((line) => line.startsWith("next-auth.session-token="))
        ?.split(";", 1)[0] ?? "";
    const held: Record<string, string>[] = [{ cookie }, { authorization: `Bearer ${body.data.token}` }];
    for (const entry of held)
      expect((await call(getInfo, "/auth/get-info", { headers: entry })).body.data.user_email).toBe(email);
    const old: Record<string, string>[] = [{ cookie: user.cookie }, { authorization: user.bearer }];
    for (const entry of old)
      expect((await call(getInfo, "/auth/get-info", { headers: entry })).status).toBe(401);
  });

  it("asks for a fresh proof with 40312 and for another address with 409", async () => {
    const user = await createSignedInUser();
    const { email } = await createUser();
    const code = await mailedCode(email, "change_email", as(user));
    await age(user);
    const tryIt = () => call(updateEmail, "/auth/email/update", as(user, { new_email: email, ...code }));
    expect([(await tryIt()).status, (await tryIt()).body.code]).toEqual([403, "40312"]);
    const proof = await call(reauthenticate, "/auth/reauthenticate", as(user, { password: user.password }));
    expect(proof.body.data).toEqual({ proved: true, expires_in: 900 });
    expect((await tryIt()).body).toMatchObject({ code: "409", message: "Email already in use" });
  });

  it("is no secret told by the code: the answers for free and taken addresses are alike", async () => {
    const user = await createSignedInUser();
    const ask = async (email: string) => {
      const body = { email, verification_type: "change_email" };
      const { status, body: answer } = await call(sendCode, "/auth/send-verification-code", as(user, body));
      return [status, { ...answer, data: { ...answer.data, verification_id: "" } }];
    };
    expect(await ask((await createUser()).email)).toEqual(await ask(fresh()));
    const body = { email: fresh(), verification_type: "change_email" };
    expect((await call(sendCode, "/auth/send-verification-code", { body })).status).toBe(401);
  });
});

describe("proving again who one is", () => {
  it("takes one proof, not none and not two", async () => {
    const user = await createSignedInUser();
    for (const body of [
      {},
      { password: user.password, verification_code: "123456" },
      { verification_id: "vc_x" },
    ]) {
      const answer = await call(reauthenticate, "/auth/reauthenticate", as(user, body));
      expect([answer.status, answer.body.code]).toEqual([400, "40000"]);
    }
    const wrong = await call(reauthenticate, "/auth/reauthenticate", as(user, { password: "wrong" }));
    expect([wrong.status, wrong.body.code]).toEqual([400, "40003"]);
    // A wrong password here is no reason to sign the client out.
    expect((await call(getInfo, "/auth/get-info", as(user))).status).toBe(200);
  });

  it("takes a code to one's own address, once", async () => {
    const user = await createSignedInUser();
    const code = await mailedCode(user.email, "order_email", as(user));
    const prove = () => call(reauthenticate, "/auth/reauthenticate", as(user, code));
    expect((await prove()).status).toBe(200);
    expect((await prove()).body.code).toBe("40002");
  });
});
