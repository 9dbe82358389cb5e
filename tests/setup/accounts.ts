import { randomUUID } from "node:crypto";
import { client } from "@/db/client";
import type { SendCodeInput } from "@/lib/accounts/contract";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { sendVerificationCode } from "@/lib/accounts/verification/send-verification-code";
import type { Viewer } from "@/lib/platform/auth/session";

/** Shared steps of account tests. */

export const guest: Viewer = { kind: "guest", locale: "en" };
export const uniqueEmail = () => `acc-${randomUUID().slice(0, 12)}@example.com`;

/** Sends a verification code; returns it in the fields of the calls, as its recipient enters it. */
export async function requestCode(
  viewer: Viewer,
  email: string,
  purpose: SendCodeInput["verification_type"],
) {
  const { verification_id } = await sendVerificationCode(viewer, { email, verification_type: purpose });
  return { verification_id, verification_code: deriveVerificationCode(verification_id) };
}

export const wrongCode = (code: string) => code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));

/** Makes the last reauthentication of a session older. */
export const ageReauthentication = (sessionId: string, interval = "16 minutes") =>
  client()`update sessions set reauthenticated_at = reauthenticated_at - ${interval}::interval where id = ${sessionId}`;

/** The kinds of the account notices sent to an address, oldest first. */
export async function listAccountNotices(email: string): Promise<string[]> {
  const rows = await client()<{ kind: string }[]>`
    select refs->>'kind' as kind from mails where to_address = ${email} and event = 'account-notice'
    order by created_at, id`;
  return rows.map(({ kind }) => kind);
}
