import { and, eq, isNull, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { shopNow, type Tx } from "@/db/client";
import { recoveryCodes, secondFactors } from "@/db/schema/staff";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import type { SecurityNoticeKind } from "@/lib/accounts/rules";
import { audit } from "@/lib/platform/audit";
import { hmac } from "@/lib/platform/crypto/hmac";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import {
  FACTOR_LOCK_MINUTES,
  FACTOR_TRIES,
  TOTP_DIGITS,
  TOTP_DRIFT_STEPS,
  TOTP_SECONDS,
} from "@/lib/staff/rules";

/** The TOTP of a secret in base32. */
export const authenticator = (secret: string, label = ""): TOTP =>
  new TOTP({
    issuer: env().APP_NAME,
    label,
    secret: Secret.fromBase32(secret),
    digits: TOTP_DIGITS,
    period: TOTP_SECONDS,
  });

export const hashRecoveryCode = (userId: string, code: string) => hmac("recovery-code", `${userId}:${code}`);

type Wrong = { kind: "none" | "wrong" } | { kind: "locked"; seconds: number };
type Right = { kind: "right"; id: string; recovery: boolean };

/** Throws the error of a code that was not accepted, after its transaction has counted it. */
export function checked<T>(outcome: Wrong | { kind: "done"; value: T }): T {
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "locked")
    throw new ShopError("too_many_tries", { params: { retryAfterSeconds: outcome.seconds } });
  throw new ShopError(outcome.kind === "none" ? "second_factor_missing" : "code_wrong");
}

type FactorRow = {
  id: string;
  sealed: Buffer;
  vaultKeyId: string;
  lastStep: string;
  failures: number;
  lockedSeconds: number;
  nowMs: string;
};

/**
 * Checks a code and counts a wrong one. A code of the authenticator app is accepted once, a step early or late; five wrong
 * codes in a row lock the factor for 15 minutes, and its owner is mailed. The row is locked, so that parallel requests cannot use a code twice.
 */
export async function checkCode(
  tx: Tx,
  userId: string,
  code: string,
  { confirmed }: { confirmed: boolean },
): Promise<Right | Wrong> {
  const [row] = await tx.execute<FactorRow>(sql`
    select id, sealed, vault_key_id as "vaultKeyId", last_step::text as "lastStep", failures,
      coalesce(ceil(extract(epoch from locked_until - shop_now())), 0)::int as "lockedSeconds",
      floor(extract(epoch from shop_now()) * 1000)::text as "nowMs"
    from second_factors
    where user_id = ${userId} and ended_at is null and (confirmed_at is not null) = ${confirmed} for update`);
  if (!row) return { kind: "none" };
  if (row.lockedSeconds > 0) return { kind: "locked", seconds: row.lockedSeconds };
  const step = findStep(row, code);
  if (step !== null) {
    await tx
      .update(secondFactors)
      .set({ lastStep: step, failures: 0, lockedUntil: null })
      .where(eq(secondFactors.id, row.id));
    return { kind: "right", id: row.id, recovery: false };
  }
  if (confirmed && (await consumeRecoveryCode(tx, { userId, factorId: row.id, code })))
    return { kind: "right", id: row.id, recovery: true };
  const failures = row.failures + 1;
  const isLocked = failures >= FACTOR_TRIES;
  await tx
    .update(secondFactors)
    .set({
      failures: isLocked ? 0 : failures,
      lockedUntil: isLocked ? sql`shop_now() + make_interval(mins => ${FACTOR_LOCK_MINUTES})` : null,
    })
    .where(eq(secondFactors.id, row.id));
  if (isLocked) {
    await audit({ actor: userId, action: "second_factor.locked", subject: userId }, tx);
    await notifyOwner(tx, userId, "second_factor_locked");
  }
  return { kind: "wrong" };
}

/** The 30-second step of a valid code that was not used before; null for any other. */
function findStep({ id, sealed, vaultKeyId, lastStep, nowMs }: FactorRow, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = Number(nowMs);
  const secret = unseal(id, { sealed, vaultKeyId });
  const delta = authenticator(secret).validate({ token: code, timestamp, window: TOTP_DRIFT_STEPS });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / TOTP_SECONDS) + delta;
  return step > Number(lastStep) ? step : null;
}

type SubmittedRecoveryCode = { userId: string; factorId: string; code: string };

async function consumeRecoveryCode(
  tx: Tx,
  { userId, factorId, code }: SubmittedRecoveryCode,
): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: shopNow })
    .where(
      and(
        eq(recoveryCodes.codeHash, hashRecoveryCode(userId, code)),
        eq(recoveryCodes.factorId, factorId),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id });
  if (used.length === 0) return false;
  await tx
    .update(secondFactors)
    .set({ failures: 0, lockedUntil: null })
    .where(eq(secondFactors.id, factorId));
  await audit({ actor: userId, action: "second_factor.recovery_code_used", subject: userId }, tx);
  await notifyOwner(tx, userId, "recovery_code_used");
  return true;
}

export async function notifyOwner(tx: Tx, userId: string, kind: SecurityNoticeKind): Promise<void> {
  const [user] = await tx.execute<{ to: string; locale: string }>(
    sql`select email as to, locale from users where id = ${userId} and deleted_at is null`,
  );
  if (user) await queueSecurityNotice(tx, { kind, userId, ...user });
}
