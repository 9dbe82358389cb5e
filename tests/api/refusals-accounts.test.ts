import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, vi } from "vitest";
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
import { deriveVerificationCode } from "@/lib/accounts/queries";
import {
  CODE_TRIES,
  CODES_PER_HOUR,
  LOGIN_TRIES,
  LOGIN_WINDOW_SECONDS,
  type RequestableCodePurpose,
} from "@/lib/accounts/rules";
import { sendVerificationCode } from "@/lib/accounts/verification/commands";
import type { Handler } from "@/lib/platform/api/declaration";
import { hashPassword } from "@/lib/platform/auth/password";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { call } from "./call";
import { noteChanges, type Refused, refusals, type Ways } from "./refused";

// What happens elsewhere while a call is on its way: its session was alive, and then somebody deletes the account.
const meanwhile = vi.hoisted(() => ({ happens: async () => {} }));
vi.mock("@/lib/platform/auth/session", async (original) => {
  const real = await original<typeof import("@/lib/platform/auth/session")>();
  const resolveSession: typeof real.resolveSession = async (sent) => {
    const session = await real.resolveSession(sent);
    await meanwhile.happens();
    return session;
  };
  return { ...real, resolveSession };
});
afterEach(() => {
  meanwhile.happens = async () => {};
});
noteChanges();
afterAll(closeDatabase);

const fresh = () => `ref-${randomUUID().slice(0, 12)}@example.com`;
const guest = { kind: "guest", locale: "en" } as const;

/** The right code, after all tries were spent on wrong ones. */
async function spent(purpose: RequestableCodePurpose, email: string, who?: SignedInUser) {
  const { verification_id: id } = await sendVerificationCode(who?.viewer ?? guest, {
    email,
    verification_type: purpose,
  });
  await db.execute(sql`update verification_codes set tries = ${CODE_TRIES} where id = ${id}`);
  return { verification_id: id, verification_code: deriveVerificationCode(id) };
}

/** So many wrong passwords that the next one is not even looked at. */
async function countTries(whose: { name: string; who: string }): Promise<void> {
  const counter = { ...whose, limit: LOGIN_TRIES, seconds: LOGIN_WINDOW_SECONDS };
  for (let wrong = 0; wrong < LOGIN_TRIES; wrong += 1) await takeRateLimit([counter]);
}

refusals("/auth/email/update", updateEmail, {
  code_used_up: async () => {
    const [who, new_email] = [await newUser(), fresh()];
    const { verification_code } = await spent("change_email", new_email, who);
    return { who, body: { new_email, verification_code } };
  },
});
refusals("/auth/email/verify-code", proveEmail, {
  code_used_up: async () => {
    const [who, email] = [await newUser(), fresh()];
    const { verification_code: code } = await spent("order_email", email, who);
    return { who, body: { email, code } };
  },
});
refusals("/auth/reauthenticate", reauthenticate, {
  password_wrong: async () => ({ who: await newUser(), body: { password: "not mine" } }),
  code_used_up: async () => {
    const who = await newUser();
    return { who, body: await spent("order_email", who.email, who) };
  },
  too_many_tries: async () => {
    const who = await newUser();
    await countTries({ name: "proof:account", who: who.id });
    return { who, body: { password: who.password } };
  },
});
refusals("/auth/send-verification-code", sendCode, {
  too_many_codes: async () => {
    const email = fresh();
    await db.execute(sql`
      insert into verification_codes (id, email, purpose, code_hash, expires_at, created_at)
      select 'vc_' || ${email} || n, ${email}, 'register', 'x', shop_now(), shop_now() - make_interval(mins => 2 * n)
      from generate_series(1, ${CODES_PER_HOUR}::int) as n`);
    return { body: { email, verification_type: "register" } };
  },
});

const person = (user_email: string) => ({ user_email, user_password: "correct horse battery" });
/**
 * A registration that has succeeded, to be sent once more under its key: what opens the account then is the login, so
 * it can be refused as one.
 */
async function repeated(path: string, handler: Handler, body: { user_email: string }): Promise<Refused> {
  const headers = { "idempotency-key": randomUUID() };
  const ip = "10.9.8.7";
  const first = await call(handler, path, { body, headers, ip });
  if (first.status !== 200) throw new Error(first.body.message);
  await db.execute(sql`delete from rate_limits`);
  return { body, headers, ip };
}
let otherHash: Promise<string> | undefined;
async function afterNewPassword(again: Refused): Promise<Refused> {
  const { user_email } = again.body as { user_email: string };
  otherHash ??= hashPassword("another horse battery");
  await db.execute(sql`update users set password_hash = ${await otherHash} where email = ${user_email}`);
  return again;
}
async function byCode() {
  const user_email = fresh();
  const { verification_id } = await sendVerificationCode(guest, {
    email: user_email,
    verification_type: "register",
  });
  return {
    ...person(user_email),
    verification_id,
    verification_code: deriveVerificationCode(verification_id),
  };
}

refusals("/auth/register/direct", registerDirectly, {
  password_short: async () => ({ body: { ...person(fresh()), user_password: "1234567" } }),
  login_failed: async () =>
    afterNewPassword(await repeated("/auth/register/direct", registerDirectly, person(fresh()))),
  too_many_tries: async () => {
    const again = await repeated("/auth/register/direct", registerDirectly, person(fresh()));
    const { user_email: who } = again.body as { user_email: string };
    await countTries({ name: "login:network", who: `${who} 10.9.8.0` });
    return again;
  },
});
refusals("/auth/register/email", registerByEmail, {
  login_failed: async () =>
    afterNewPassword(await repeated("/auth/register/email", registerByEmail, await byCode())),
  code_used_up: async () => {
    const user_email = fresh();
    return { body: { ...person(user_email), ...(await spent("register", user_email)) } };
  },
  too_many_tries: async () => {
    const again = await repeated("/auth/register/email", registerByEmail, await byCode());
    const { user_email: who } = again.body as { user_email: string };
    await countTries({ name: "login:network", who: `${who} 10.9.8.0` });
    return again;
  },
});

/** A request during which the account is deleted on another device. */
function deletedMeanwhile(body?: object): Ways {
  return {
    account_missing: async () => {
      const who = await newUser();
      meanwhile.happens = async () => {
        await db.execute(sql`update users set deleted_at = shop_now() where id = ${who.id}`);
      };
      return { who, body, leaves: ["update users"] };
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
refusals("/auth/billing/save", saveBilling, deletedMeanwhile(ADDRESS));
refusals("/auth/billing/delete", deleteBilling, deletedMeanwhile({ address_id: "adr_x" }));
refusals("/auth/get-info", getInfo, deletedMeanwhile());
