import { randomUUID } from "node:crypto";
import { client } from "@/db/client";
import type { SendCodeInput } from "@/lib/accounts/contract";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { sendVerificationCode } from "@/lib/accounts/verification/commands";
import type { Viewer } from "@/lib/platform/auth/session";
import { type ErrorName, isShopError } from "@/lib/platform/errors";

/** What tests of accounts do again and again. */

export const guest: Viewer = { kind: "guest", locale: "en" };
export const freshAddress = () => `acc-${randomUUID().slice(0, 12)}@example.com`;

/** The name of the refusal, or "done". */
export async function refusal(work: Promise<unknown>): Promise<ErrorName | "done"> {
  return work.then(
    () => "done",
    (error: unknown) => {
      if (isShopError(error)) return error.error;
      throw error;
    },
  );
}

/** A code as its mailbox got it, in the fields of the calls. */
export async function codeTo(viewer: Viewer, email: string, purpose: SendCodeInput["verification_type"]) {
  const { verification_id } = await sendVerificationCode(viewer, { email, verification_type: purpose });
  return { verification_id, verification_code: deriveVerificationCode(verification_id) };
}

export const wrong = (code: string) => code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));

/** Lets the proof of a session grow old. */
export const ageProof = (sessionId: string, interval = "16 minutes") =>
  client()`update sessions set reauthenticated_at = reauthenticated_at - ${interval}::interval where id = ${sessionId}`;

/** Which account notices an address got, oldest first. */
export async function noticesTo(email: string): Promise<string[]> {
  const rows = await client()<{ kind: string }[]>`
    select refs->>'kind' as kind from mails where to_address = ${email} and event = 'account-notice'
    order by created_at, id`;
  return rows.map(({ kind }) => kind);
}
