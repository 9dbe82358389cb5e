import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { client, shopNow, type Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { verificationCodes } from "@/db/schema/accounts";
import { CODE_TRIES, CODE_TRIES_FROM_OTHER_NETWORKS, type CodePurpose } from "@/lib/accounts/rules";
import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";
import { networkPrefix } from "@/lib/platform/http/ip";

export const codeHash = (codeId: string, code: string) => hmac("verification-code", `${codeId}:${code}`);

/** The keyed hash of the requester's network; null for signed-in users. */
export const networkHash = (ip: string | undefined): string | null =>
  ip === undefined ? null : hmac("network", networkPrefix(ip) ?? "");

export type SubmittedCode = {
  email: string;
  purpose: CodePurpose;
  code: string;
  id?: string;
  userId?: string;
  ip?: string;
};

type CodeRow = { id: string; code_hash: string; valid: boolean; exhausted: boolean };

/**
 * Checks a code and counts the attempt outside of any transaction, so that a wrong attempt counts even if the caller
 * rolls back. A client with neither the code's id nor the requesting network has two of the five attempts
 * (docs/decisions/0026-count-guesses-per-network-and-account.md). Returns the id for `consumeCode`.
 * @throws ShopError code_wrong, code_expired (also when used), code_used_up: too many wrong attempts
 */
export async function checkCode({ email, purpose, code, id, userId, ip }: SubmittedCode): Promise<string> {
  const network = networkHash(ip);
  const [submitted] = await client()<CodeRow[]>`
    with candidate as (
      select id, ${id ?? null}::text is null and requester_network is distinct from ${network} as other_network
      from verification_codes
      where lower(email) = ${email} and purpose = ${purpose} and (${id ?? null}::text is null or id = ${id ?? null})
        and user_id is not distinct from ${userId ?? null}
      order by (requester_network is not distinct from ${network} and used_at is null and expires_at > shop_now()) desc,
        created_at desc, id limit 1)
    update verification_codes c set
      tries = case when other_network and c.tries_from_other_networks >= ${CODE_TRIES_FROM_OTHER_NETWORKS} then c.tries
        else least(c.tries + 1, ${CODE_TRIES + 1}) end,
      tries_from_other_networks = least(c.tries_from_other_networks + other_network::int, ${CODE_TRIES_FROM_OTHER_NETWORKS + 1})
    from candidate where c.id = candidate.id
    returning c.id, c.code_hash, c.used_at is null and c.expires_at > shop_now() as valid,
      c.tries > ${CODE_TRIES} or (other_network and c.tries_from_other_networks > ${CODE_TRIES_FROM_OTHER_NETWORKS}) as exhausted`;
  if (!submitted?.valid) throw new ShopError("code_expired");
  if (submitted.exhausted) throw new ShopError("code_used_up");
  if (!constantTimeEqual(submitted.code_hash, codeHash(submitted.id, code)))
    throw new ShopError("code_wrong");
  return submitted.id;
}

/**
 * Consumes a checked code in the transaction of the change.
 * @throws ShopError code_expired when a concurrent request has consumed the code
 */
export async function consumeCode(tx: Tx, codeId: string): Promise<void> {
  const consumed = await tx
    .update(verificationCodes)
    .set({ usedAt: shopNow })
    .where(and(eq(verificationCodes.id, codeId), isNull(verificationCodes.usedAt)))
    .returning({ id: verificationCodes.id });
  if (consumed.length === 0) throw new ShopError("code_expired");
}

/** Deletes codes older than two days, twice the look-back of the limits per address. */
export async function deleteExpiredCodes(): Promise<void> {
  const isOld = lt(verificationCodes.createdAt, sql`shop_now() - interval '2 days'`);
  await deleteInBatches(verificationCodes, isOld, sql`created_at`);
}
