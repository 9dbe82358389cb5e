import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { recoveryCodes, secondFactors } from "@/db/schema/staff";
import type { ReauthenticateInput, ReauthenticationView } from "@/lib/accounts/profile/contract";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import {
  getSecurity,
  requireReauthentication,
} from "@/lib/accounts/reauthentication/require-reauthentication";
import { REAUTHENTICATION_MINUTES, type SecurityNoticeKind } from "@/lib/accounts/rules";
import { audit } from "@/lib/platform/audit";
import { STAFF_HOURS, STAFF_IDLE_MINUTES, type UserViewer } from "@/lib/platform/auth/session";
import { hmac } from "@/lib/platform/crypto/hmac";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { reseal, seal, unseal, vaultKeyId } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { FactorSetupView, RecoveryCodesView, StaffSessionView } from "@/lib/staff/contract";
import {
  FACTOR_LOCK_MINUTES,
  FACTOR_TRIES,
  RECOVERY_CODES,
  TOTP_DIGITS,
  TOTP_DRIFT_STEPS,
  TOTP_SECONDS,
} from "@/lib/staff/rules";
import { getStaffSession } from "./queries";

const SECRET_BYTES = 20;
const RECOVERY_CODE_LENGTH = 10;

/** The TOTP of a secret in base32. */
export const authenticator = (secret: string, label = ""): TOTP =>
  new TOTP({
    issuer: env().APP_NAME,
    label,
    secret: Secret.fromBase32(secret),
    digits: TOTP_DIGITS,
    period: TOTP_SECONDS,
  });

const hashRecoveryCode = (userId: string, code: string) => hmac("recovery-code", `${userId}:${code}`);

/**
 * Creates a secret for an authenticator app, which works after `confirmFactor`. The first one needs a recent
 * reauthentication as for any sensitive change, another one staff mode and a recent reauthentication with the factor.
 * @throws ShopError reauthentication_required, second_factor_required: a factor is set up and was not given
 */
export async function setUpFactor(viewer: UserViewer): Promise<FactorSetupView> {
  const { userId, factor, email } = viewer;
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    if (await hasFactor(tx, userId)) {
      if (!factor.active) throw new ShopError("second_factor_required");
      if (!factor.reauthenticated) throw new ShopError("reauthentication_required");
    } else await requireReauthentication(viewer, tx);
    await endFactor(tx, userId, { confirmed: false });
    const id = newId("fct");
    await tx.insert(secondFactors).values({ id, userId, ...seal(id, secret) });
  });
  const uri = authenticator(secret, email).toString();
  return { secret, uri, qr_svg: renderSVG(uri, { border: 2 }) };
}

/** Serializes changes of a person's factors. */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select from users where id = ${userId} for no key update`);
}

const isLive = (userId: string, confirmed: boolean) =>
  and(
    eq(secondFactors.userId, userId),
    isNull(secondFactors.endedAt),
    (confirmed ? isNotNull : isNull)(secondFactors.confirmedAt),
  );

const hasFactor = async (tx: Tx, userId: string) =>
  (await tx.$count(secondFactors, isLive(userId, true))) > 0;

async function endFactor(tx: Tx, userId: string, { confirmed }: { confirmed: boolean }): Promise<void> {
  await tx.update(secondFactors).set({ endedAt: shopNow }).where(isLive(userId, confirmed));
}

/**
 * Confirms the new secret by its first code, ends the earlier one, returns the recovery codes, starts staff mode and
 * mails the owner.
 * @throws ShopError second_factor_missing: no setup is in progress, code_wrong, too_many_tries
 */
export async function confirmFactor(viewer: UserViewer, code: string): Promise<RecoveryCodesView> {
  const { userId } = viewer;
  return checked(
    await transaction(async (tx) => {
      await lockUser(tx, userId);
      const outcome = await checkCode(tx, userId, code, { confirmed: false });
      if (outcome.kind !== "right") return outcome;
      const replaced = await hasFactor(tx, userId);
      // Another session that set up the first factor meanwhile must not be replaced without that factor.
      if (replaced && !viewer.factor.reauthenticated) throw new ShopError("second_factor_required");
      await endFactor(tx, userId, { confirmed: true });
      await tx.update(secondFactors).set({ confirmedAt: shopNow }).where(eq(secondFactors.id, outcome.id));
      await leaveEverywhere(tx, userId);
      await startStaffMode(tx, viewer);
      await notifyOwner(tx, userId, "second_factor_set");
      await audit({ actor: userId, action: "second_factor.set", subject: userId, detail: { replaced } }, tx);
      return { kind: "done", value: await createRecoveryCodes(tx, userId, outcome.id) } as const;
    }),
  );
}

type Wrong = { kind: "none" | "wrong" } | { kind: "locked"; seconds: number };
type Right = { kind: "right"; id: string; recovery: boolean };

/** Throws the error of a code that was not accepted, after its transaction has counted it. */
function checked<T>(outcome: Wrong | { kind: "done"; value: T }): T {
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
async function checkCode(
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

async function createRecoveryCodes(tx: Tx, userId: string, factorId: string): Promise<RecoveryCodesView> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.factorId, factorId));
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(RECOVERY_CODE_LENGTH));
  await tx.insert(recoveryCodes).values(
    codes.map((code) => ({
      id: newId("rec"),
      userId,
      factorId,
      codeHash: hashRecoveryCode(userId, code),
    })),
  );
  const half = RECOVERY_CODE_LENGTH / 2;
  return { recovery_codes: codes.map((code) => `${code.slice(0, half)}-${code.slice(half)}`) };
}

async function notifyOwner(tx: Tx, userId: string, kind: SecurityNoticeKind): Promise<void> {
  const [user] = await tx.execute<{ to: string; locale: string }>(
    sql`select email as to, locale from users where id = ${userId} and deleted_at is null`,
  );
  if (user) await queueSecurityNotice(tx, { kind, userId, ...user });
}

/** A sign-in of the last minutes counts as the password of a reauthentication. */
async function startStaffMode(tx: Tx, { sessionId }: UserViewer): Promise<void> {
  const isFresh = sql`${sessions.createdAt} > shop_now() - make_interval(mins => ${REAUTHENTICATION_MINUTES})`;
  const started = await tx
    .update(sessions)
    .set({
      factorAt: shopNow,
      staffSeenAt: shopNow,
      staffReauthenticatedAt: sql`case when ${isFresh} then shop_now() end`,
    })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  if (started.length === 0) throw new ShopError("session_ended");
}

const NO_STAFF_MODE = { factorAt: null, staffSeenAt: null, staffReauthenticatedAt: null };

/** Ends staff mode in all sessions of a person. Returns in how many it had not ended before. */
export async function leaveEverywhere(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from sessions
    where user_id = ${userId} and revoked_at is null and expires_at > shop_now()
      and factor_at > shop_now() - make_interval(hours => ${STAFF_HOURS})
      and staff_seen_at > shop_now() - make_interval(mins => ${STAFF_IDLE_MINUTES})`);
  await tx.update(sessions).set(NO_STAFF_MODE).where(eq(sessions.userId, userId));
  return row!.count;
}

/**
 * Starts staff mode with a code of the authenticator app or a recovery code. The session is one of staff for 12 hours, and
 * until 30 minutes pass without use.
 * @throws ShopError second_factor_missing: none is set up, code_wrong, too_many_tries: the factor is locked
 */
export async function enterStaffMode(viewer: UserViewer, code: string): Promise<StaffSessionView> {
  const { userId } = viewer;
  checked(
    await transaction(async (tx) => {
      const outcome = await checkCode(tx, userId, code, { confirmed: true });
      if (outcome.kind !== "right") return outcome;
      await startStaffMode(tx, viewer);
      const detail = outcome.recovery ? { with: "recovery code" } : undefined;
      const action = viewer.staff ? "staff.entered" : "merchant.entered";
      await audit({ actor: userId, action, subject: userId, detail }, tx);
      return { kind: "done", value: true } as const;
    }),
  );
  return getStaffSession(await withCurrentRights(viewer));
}

/** The viewer as the database knows it after staff mode has started. */
async function withCurrentRights(viewer: UserViewer): Promise<UserViewer> {
  const [row] = await db.execute<{ reauthenticated: boolean }>(
    sql`select staff_reauthenticated_at is not null as reauthenticated from sessions where id = ${viewer.sessionId}`,
  );
  const reauthenticated = row?.reauthenticated ?? false;
  const factor = { active: true, reauthenticated, due: false };
  return { ...viewer, factor, staff: viewer.staff && { ...viewer.staff, ...factor } };
}

/** Ends staff mode in this session, which stays signed in. */
export async function leaveStaffMode({ sessionId, userId, factor, staff }: UserViewer): Promise<void> {
  await transaction(async (tx) => {
    await tx.update(sessions).set(NO_STAFF_MODE).where(eq(sessions.id, sessionId));
    const action = staff ? "staff.left" : "merchant.left";
    if (factor.active) await audit({ actor: userId, action, subject: userId }, tx);
  });
}

/** Replaces the recovery codes. The call needs a recent reauthentication with the factor. */
export async function renewRecoveryCodes({ userId }: UserViewer): Promise<RecoveryCodesView> {
  return transaction(async (tx) => {
    const [factor] = await tx
      .select({ id: secondFactors.id })
      .from(secondFactors)
      .where(isLive(userId, true))
      .for("update");
    if (!factor) throw new ShopError("second_factor_missing");
    await audit({ actor: userId, action: "second_factor.recovery_codes_renewed", subject: userId }, tx);
    return createRecoveryCodes(tx, userId, factor.id);
  });
}

/**
 * Reauthenticates a session in staff mode: with the password, or the mailed code of an account without one, and the second
 * factor.
 * @throws ShopError field_required: without a second factor, password_wrong, code_wrong, too_many_tries
 */
export async function reauthenticateStaff(
  viewer: UserViewer,
  { second_factor: code, ...input }: ReauthenticateInput,
): Promise<ReauthenticationView> {
  if (code === undefined) throw requiredField("second_factor", viewer.locale);
  if (input.password === undefined && (await getSecurity(viewer)).has_password)
    throw requiredField("password", viewer.locale);
  const view = await reauthenticate(viewer, input);
  checked(
    await transaction(async (tx) => {
      const outcome = await checkCode(tx, viewer.userId, code, { confirmed: true });
      if (outcome.kind !== "right") return outcome;
      await tx
        .update(sessions)
        .set({ staffReauthenticatedAt: shopNow, staffSeenAt: shopNow })
        .where(and(eq(sessions.id, viewer.sessionId), isNotNull(sessions.factorAt)));
      return { kind: "done", value: true } as const;
    }),
  );
  return view;
}

const requiredField = (path: string, locale: Locale) =>
  new ShopError("field_required", { issues: [{ path, message: errorMessage("field_required", locale) }] });

/**
 * Removes a person's factor and recovery codes; they set up a new one when they next open the console. Mails the owner.
 * Returns in how many sessions staff mode ended.
 */
export async function removeFactor(tx: Tx, userId: string): Promise<number> {
  await lockUser(tx, userId);
  await endFactor(tx, userId, { confirmed: true });
  await endFactor(tx, userId, { confirmed: false });
  const left = await leaveEverywhere(tx, userId);
  await notifyOwner(tx, userId, "second_factor_reset");
  return left;
}

/** Lets a person whose factor is locked after wrong codes try again. False: it was not locked. */
export async function unlockFactor(tx: Tx, userId: string): Promise<boolean> {
  const unlocked = await tx
    .update(secondFactors)
    .set({ failures: 0, lockedUntil: null })
    .where(and(eq(secondFactors.userId, userId), sql`${secondFactors.lockedUntil} > shop_now()`))
    .returning({ id: secondFactors.id });
  return unlocked.length > 0;
}

/** Reseals the secrets of authenticator apps under the current vault key (`npm run keys:rotate`). Returns their number. */
export async function resealFactors(): Promise<number> {
  return transaction(async (tx) => {
    const rows = await tx
      .select({ id: secondFactors.id, sealed: secondFactors.sealed, vaultKeyId: secondFactors.vaultKeyId })
      .from(secondFactors)
      .where(ne(secondFactors.vaultKeyId, vaultKeyId()))
      .orderBy(secondFactors.id)
      .for("update");
    for (const { id, ...secret } of rows)
      await tx.update(secondFactors).set(reseal(id, secret)).where(eq(secondFactors.id, id));
    return rows.length;
  });
}
