import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, vi } from "vitest";
import { POST as deleteBilling } from "@/app/api/v1/auth/billing/delete/route";
import { POST as saveBilling } from "@/app/api/v1/auth/billing/save/route";
import { POST as updateEmail } from "@/app/api/v1/auth/email/update/route";
import { POST as proveEmail } from "@/app/api/v1/auth/email/verify-code/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as reauthenticate } from "@/app/api/v1/auth/reauthenticate/route";
import { POST as registerDirectly } from "@/app/api/v1/auth/register/direct/route";
import { POST as registerByEmail } from "@/app/api/v1/auth/register/email/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser as newUser, type SignedInUser } from "@/db/factories/accounts";
import { reauthenticate as checkPassword } from "@/lib/accounts/reauthentication/reauthenticate";
import { CODE_TRIES, LOGIN_TRIES, type RequestableCodePurpose } from "@/lib/accounts/rules";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { sendVerificationCode } from "@/lib/accounts/verification/send-verification-code";
import type { Handler } from "@/lib/platform/api/declaration";
import { hashPassword } from "@/lib/platform/auth/password";
import { getErrorName } from "../setup/error-name";
import { createEmailAtCodeLimit, uniqueEmail } from "./account-steps";
import { call } from "./call";
import {
  describeRejections,
  type RejectedRequest,
  type RejectionScenarios,
  recordChanges,
} from "./rejections";

// Runs after a call has resolved its session, e.g. to delete the account concurrently.
const concurrent = vi.hoisted(() => ({ run: async () => {} }));
vi.mock("@/lib/platform/auth/session", async (original) => {
  const real = await original<typeof import("@/lib/platform/auth/session")>();
  const resolveSession: typeof real.resolveSession = async (token) => {
    const session = await real.resolveSession(token);
    await concurrent.run();
    return session;
  };
  return { ...real, resolveSession };
});
afterEach(() => {
  concurrent.run = async () => {};
});
recordChanges();
afterAll(closeDatabase);

const guest = { kind: "guest", locale: "en" } as const;

/** A code whose tries are used up. */
async function createUsedUpCode(purpose: RequestableCodePurpose, email: string, user?: SignedInUser) {
  const { verification_id: id } = await sendVerificationCode(user?.viewer ?? guest, {
    email,
    verification_type: purpose,
  });
  await db.execute(sql`update verification_codes set tries = ${CODE_TRIES} where id = ${id}`);
  return { verification_id: id, verification_code: deriveVerificationCode(id) };
}

/** Tries as many wrong passwords as the limit allows, so that the next password is not checked. */
async function useUpTries(error: string, tryWrongPassword: () => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.all(
    Array.from({ length: LOGIN_TRIES }, () => getErrorName(tryWrongPassword())),
  );
  expect(outcomes).toEqual(Array(LOGIN_TRIES).fill(error));
}
/** Wrong passwords of an address from the network of `createRepeatedRegistration`. */
const useUpLogins = (user_email: string) =>
  useUpTries("login_failed", () =>
    logIn(guest, { user_email, user_password: "not mine" }, { device: "test", ip: "10.9.8.99" }),
  );

describeRejections("/auth/email/update", updateEmail, {
  code_used_up: async () => {
    const [user, new_email] = [await newUser(), uniqueEmail()];
    const { verification_code } = await createUsedUpCode("change_email", new_email, user);
    return { user, body: { new_email, verification_code } };
  },
});
describeRejections("/auth/email/verify-code", proveEmail, {
  email_invalid: async () => ({ user: await newUser(), body: { email: "no address", code: "123456" } }),
  code_used_up: async () => {
    const [user, email] = [await newUser(), uniqueEmail()];
    const { verification_code: code } = await createUsedUpCode("order_email", email, user);
    return { user, body: { email, code } };
  },
});
describeRejections("/auth/reauthenticate", reauthenticate, {
  password_wrong: async () => ({ user: await newUser(), body: { password: "not mine" } }),
  code_used_up: async () => {
    const user = await newUser();
    return { user, body: await createUsedUpCode("order_email", user.email, user) };
  },
  too_many_tries: async () => {
    const user = await newUser();
    await useUpTries("password_wrong", () => checkPassword(user.viewer, { password: "not mine" }));
    return { user, body: { password: user.password } };
  },
});
describeRejections("/auth/send-verification-code", sendCode, {
  too_many_codes: async () => ({
    body: { email: await createEmailAtCodeLimit(), verification_type: "register" },
  }),
});

const credentials = (user_email: string) => ({ user_email, user_password: "correct horse battery" });
/**
 * A successful registration to be repeated with its Idempotency-Key: the repetition signs in, so that it can be
 * rejected like a login.
 */
async function createRepeatedRegistration(
  path: string,
  handler: Handler,
  body: { user_email: string },
): Promise<RejectedRequest> {
  const headers = { "idempotency-key": randomUUID() };
  const ip = "10.9.8.7";
  const first = await call(handler, path, { body, headers, ip });
  if (first.status !== 200) throw new Error(first.body.message);
  await db.execute(sql`delete from rate_limits`);
  return { body, headers, ip };
}
let otherHash: Promise<string> | undefined;
async function changePassword(request: RejectedRequest): Promise<RejectedRequest> {
  const { user_email } = request.body as { user_email: string };
  otherHash ??= hashPassword("another horse battery");
  await db.execute(sql`update users set password_hash = ${await otherHash} where email = ${user_email}`);
  return request;
}
async function createCodeRegistration() {
  const user_email = uniqueEmail();
  const { verification_id } = await sendVerificationCode(guest, {
    email: user_email,
    verification_type: "register",
  });
  return {
    ...credentials(user_email),
    verification_id,
    verification_code: deriveVerificationCode(verification_id),
  };
}

describeRejections("/auth/register/direct", registerDirectly, {
  password_short: async () => ({ body: { ...credentials(uniqueEmail()), user_password: "1234567" } }),
  privacy_required: async () => ({ body: { ...credentials(uniqueEmail()), accept_privacy: false } }),
  login_failed: async () =>
    changePassword(
      await createRepeatedRegistration("/auth/register/direct", registerDirectly, credentials(uniqueEmail())),
    ),
  too_many_tries: async () => {
    const request = await createRepeatedRegistration(
      "/auth/register/direct",
      registerDirectly,
      credentials(uniqueEmail()),
    );
    const { user_email } = request.body as { user_email: string };
    await useUpLogins(user_email);
    return request;
  },
});
describeRejections("/auth/register/email", registerByEmail, {
  login_failed: async () =>
    changePassword(
      await createRepeatedRegistration(
        "/auth/register/email",
        registerByEmail,
        await createCodeRegistration(),
      ),
    ),
  code_used_up: async () => {
    const user_email = uniqueEmail();
    return { body: { ...credentials(user_email), ...(await createUsedUpCode("register", user_email)) } };
  },
  too_many_tries: async () => {
    const request = await createRepeatedRegistration(
      "/auth/register/email",
      registerByEmail,
      await createCodeRegistration(),
    );
    const { user_email } = request.body as { user_email: string };
    await useUpLogins(user_email);
    return request;
  },
});

/** A request during which the account is deleted by another session. */
function deletedDuringCall(body?: object): RejectionScenarios {
  return {
    account_missing: async () => {
      const user = await newUser();
      concurrent.run = async () => {
        await db.execute(sql`update users set deleted_at = shop_now() where id = ${user.id}`);
      };
      return { user, body, intendedChanges: ["update users"] };
    },
  };
}
const ADDRESS = {
  full_name: "Ada",
  line1: "1 Main Street",
  city: "Berlin",
  postal_code: "10115",
  country: "DE",
};
describeRejections("/auth/billing/save", saveBilling, deletedDuringCall(ADDRESS));
describeRejections("/auth/billing/delete", deleteBilling, deletedDuringCall({ address_id: "adr_x" }));
describeRejections("/auth/get-info", getInfo, deletedDuringCall());
