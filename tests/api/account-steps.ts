import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { client, db } from "@/db/client";
import type { SignedInUser } from "@/db/factories/accounts";
import { CODES_PER_HOUR } from "@/lib/accounts/rules";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { type CallOptions, call } from "./call";

/** An address that no other test uses. */
export const uniqueEmail = () => `user-${randomUUID().slice(0, 12)}@example.com`;

export const withBearer = (
  user: SignedInUser,
  body?: object,
  more: Partial<CallOptions> = {},
): CallOptions => ({
  body,
  ...more,
  headers: { authorization: user.bearer, ...more.headers },
});

/** Sends the session cookie, as a page of this server does. */
export const withCookie = (user: SignedInUser, body?: object): CallOptions => ({
  body,
  headers: { cookie: user.cookie, origin: "http://localhost:3000" },
});

/** Moves the last reauthentication 16 minutes into the past; it is valid for 15. */
export const expireReauthentication = (user: SignedInUser) =>
  client()`update sessions set reauthenticated_at = reauthenticated_at - interval '16 minutes' where id = ${user.viewer.sessionId}`;

/** Requests a code over the API and derives it from the id in the response. */
export async function requestMailedCode(email: string, verification_type: string, options: CallOptions = {}) {
  const { body } = await call(sendCode, "/auth/send-verification-code", {
    ...options,
    body: { email, verification_type },
  });
  const verification_id: string = body.data.verification_id;
  return { verification_id, verification_code: deriveVerificationCode(verification_id) };
}

/** An address that has received as many codes as one hour allows. */
export async function createEmailAtCodeLimit(): Promise<string> {
  const email = uniqueEmail();
  await db.execute(sql`
    insert into verification_codes (id, email, purpose, code_hash, expires_at, created_at)
    select 'vc_' || ${email} || n, ${email}, 'register', 'x', shop_now(), shop_now() - make_interval(mins => 2 * n)
    from generate_series(1, ${CODES_PER_HOUR}::int) as n`);
  return email;
}
