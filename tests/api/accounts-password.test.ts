import { afterAll, describe, expect, it } from "vitest";
import { POST as updateEmail } from "@/app/api/v1/auth/email/update/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as reauthenticate } from "@/app/api/v1/auth/reauthenticate/route";
import { POST as resetPassword } from "@/app/api/v1/auth/reset-password/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { POST as verifyResetCode } from "@/app/api/v1/auth/verify-reset-code/route";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import type { Handler } from "@/lib/platform/api/declaration";
import {
  expireReauthentication,
  requestMailedCode,
  uniqueEmail,
  withBearer,
  withCookie,
} from "./account-steps";
import { type CallOptions, call } from "./call";

afterAll(closeDatabase);

describe("password reset", () => {
  const callReset = (handler: Handler, path: string, body: object, more: CallOptions = {}) =>
    call(handler, path, { body, ...more });

  it("sets a new password in two calls, also from a form and with a space in the code", async () => {
    const user = await createSignedInUser();
    const code = await requestMailedCode(user.email, "reset_password");
    const verified = await callReset(verifyResetCode, "/auth/verify-reset-code", {
      email: user.email,
      ...code,
    });
    expect(verified.body).toMatchObject({ code: "200", data: { verified: true } });
    const spaced = code.verification_code.replace(/^(...)/, "$1 ");
    const raw = new URLSearchParams({
      email: user.email,
      new_password: "a new password",
      verification_code: spaced,
    });
    const reset = await call(resetPassword, "/auth/reset-password", { raw });
    expect(reset.body).toMatchObject({ code: "200", data: { reset: true } });
    const info = await call(getInfo, "/auth/get-info", { headers: { authorization: user.bearer } });
    expect(info.body.code).toBe("401");
    const body = { user_email: user.email, user_password: "a new password" };
    expect((await call(login, "/auth/login/email", { body })).status).toBe(200);
  });

  it("responds to known and unknown addresses with the same bodies in similar time, at each step", async () => {
    const prepare = async (email: string, ip: string) => {
      const { verification_id } = await requestMailedCode(email, "reset_password", { ip });
      const code = deriveVerificationCode(verification_id);
      const wrong = code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
      return {
        body: { email, verification_code: wrong },
        ip,
        answers: [] as unknown[][],
        ms: [] as number[],
      };
    };
    const attempt = async ({ body, ip, answers, ms }: Awaited<ReturnType<typeof prepare>>) => {
      const startedAt = performance.now();
      const verified = await callReset(verifyResetCode, "/auth/verify-reset-code", body, { ip });
      answers.push([verified.status, verified.body]);
      const withPassword = { ...body, new_password: "a new password" };
      const reset = await callReset(resetPassword, "/auth/reset-password", withPassword, { ip });
      answers.push([reset.status, reset.body]);
      ms.push(performance.now() - startedAt);
    };
    const ratios: number[] = [];
    // Without its id, a code can be tried five times from the network that requested it.
    for (const ip of ["10.40.50.60", "10.40.51.60", "10.40.52.60"]) {
      const known = await prepare((await createUser()).email, ip);
      const unknown = await prepare(uniqueEmail(), ip);
      // The two alternate, so that other work on the machine slows both alike.
      for (let i = 0; i < 5; i++) for (const one of [known, unknown]) await attempt(one);
      expect(unknown.answers).toEqual(known.answers);
      expect(known.answers.map(([status]) => status)).toEqual([...Array(5).fill(400), ...Array(5).fill(429)]);
      ratios.push(Math.min(...unknown.ms) / Math.min(...known.ms));
    }
    // A difference shows in each of them, a busy moment in one.
    expect(Math.min(...ratios)).toBeLessThan(3);
    expect(Math.max(...ratios)).toBeGreaterThan(0.3);
  });

  it("describes invalid fields in the requested language", async () => {
    const cases = [
      [{ new_password: "short" }, "Password must be at least 8 characters long"],
      [{ email: "nobody" }, "Please enter a valid email address"],
      [{ verification_code: "12" }, "The verification code is not correct."],
      [{ user_id: "usr_x" }, null],
    ] as const;
    const base = { email: uniqueEmail(), new_password: "long enough", verification_code: "123456" };
    for (const [wrong, message] of cases) {
      const { status, body } = await callReset(resetPassword, "/auth/reset-password", { ...base, ...wrong });
      expect(status).toBe(400);
      if (message) expect(body.message).toBe(message);
    }
    const zh = await callReset(resetPassword, "/auth/reset-password", { ...base, target_lang: "zh" });
    expect([zh.status, zh.body.code]).toEqual([400, "40002"]);
    expect(zh.body.message).toMatch(/验证码/);
  });

  it("notifies the user of the change by email, in the user's language", async () => {
    const { email } = await createUser();
    const code = await requestMailedCode(email, "reset_password");
    const headers = { "accept-language": "ja" };
    await callReset(
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

describe("email change", () => {
  it("returns new tokens and a new cookie, and invalidates the previous ones", async () => {
    const user = await createSignedInUser();
    const email = uniqueEmail();
    const code = await requestMailedCode(email, "change_email", withBearer(user));
    const { status, body, headers } = await call(
      updateEmail,
      "/auth/email/update",
      withCookie(user, { new_email: email, ...code }),
    );
    expect([status, body.data.user_email]).toEqual([200, email]);
    const cookie =
      headers
        .getSetCookie()
        .find((line) => line.startsWith("next-auth.session-token="))
        ?.split(";", 1)[0] ?? "";
    const newCredentials: Record<string, string>[] = [
      { cookie },
      { authorization: `Bearer ${body.data.token}` },
    ];
    for (const credentials of newCredentials)
      expect((await call(getInfo, "/auth/get-info", { headers: credentials })).body.data.user_email).toBe(
        email,
      );
    const oldCredentials: Record<string, string>[] = [
      { cookie: user.cookie },
      { authorization: user.bearer },
    ];
    for (const credentials of oldCredentials)
      expect((await call(getInfo, "/auth/get-info", { headers: credentials })).status).toBe(401);
  });

  it("requires a recent reauthentication (40312) and rejects a used address (409)", async () => {
    const user = await createSignedInUser();
    const { email } = await createUser();
    const code = await requestMailedCode(email, "change_email", withBearer(user));
    await expireReauthentication(user);
    const updateWithCode = () =>
      call(updateEmail, "/auth/email/update", withBearer(user, { new_email: email, ...code }));
    expect([(await updateWithCode()).status, (await updateWithCode()).body.code]).toEqual([403, "40312"]);
    const reauthentication = await call(
      reauthenticate,
      "/auth/reauthenticate",
      withBearer(user, { password: user.password }),
    );
    expect(reauthentication.body.data).toEqual({ proved: true, expires_in: 900 });
    expect((await updateWithCode()).body).toMatchObject({ code: "409", message: "Email already in use" });
  });

  it("does not reveal whether an address is taken when a code is requested", async () => {
    const user = await createSignedInUser();
    const requestCode = async (email: string) => {
      const body = { email, verification_type: "change_email" };
      const { status, body: response } = await call(
        sendCode,
        "/auth/send-verification-code",
        withBearer(user, body),
      );
      return [status, { ...response, data: { ...response.data, verification_id: "" } }];
    };
    expect(await requestCode((await createUser()).email)).toEqual(await requestCode(uniqueEmail()));
    const body = { email: uniqueEmail(), verification_type: "change_email" };
    expect((await call(sendCode, "/auth/send-verification-code", { body })).status).toBe(401);
  });
});

describe("reauthentication", () => {
  it("requires exactly one of password and code", async () => {
    const user = await createSignedInUser();
    for (const body of [
      {},
      { password: user.password, verification_code: "123456" },
      { verification_id: "vc_x" },
    ]) {
      const response = await call(reauthenticate, "/auth/reauthenticate", withBearer(user, body));
      expect([response.status, response.body.code]).toEqual([400, "40000"]);
    }
    const wrong = await call(reauthenticate, "/auth/reauthenticate", withBearer(user, { password: "wrong" }));
    expect([wrong.status, wrong.body.code]).toEqual([400, "40003"]);
    // A wrong password here must not end the session.
    expect((await call(getInfo, "/auth/get-info", withBearer(user))).status).toBe(200);
  });

  it("accepts a code for the user's own address once", async () => {
    const user = await createSignedInUser();
    const code = await requestMailedCode(user.email, "order_email", withBearer(user));
    const reauthenticateWithCode = () => call(reauthenticate, "/auth/reauthenticate", withBearer(user, code));
    expect((await reauthenticateWithCode()).status).toBe(200);
    expect((await reauthenticateWithCode()).body.code).toBe("40002");
  });
});
