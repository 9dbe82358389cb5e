import { eq } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { recoveryCodes, secondFactors } from "@/db/schema/staff";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { RecoveryCodesView } from "@/lib/staff/contract";
import { RECOVERY_CODES } from "@/lib/staff/rules";
import { hashRecoveryCode } from "./check-code";
import { isLiveFactor } from "./remove-factor";

const RECOVERY_CODE_LENGTH = 10;

export async function createRecoveryCodes(
  tx: Tx,
  userId: string,
  factorId: string,
): Promise<RecoveryCodesView> {
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

/** Replaces the recovery codes. The call needs a recent reauthentication with the factor. */
export async function renewRecoveryCodes({ userId }: UserViewer): Promise<RecoveryCodesView> {
  return transaction(async (tx) => {
    const [factor] = await tx
      .select({ id: secondFactors.id })
      .from(secondFactors)
      .where(isLiveFactor(userId, true))
      .for("update");
    if (!factor) throw new ShopError("second_factor_missing");
    await audit({ actor: userId, action: "second_factor.recovery_codes_renewed", subject: userId }, tx);
    return createRecoveryCodes(tx, userId, factor.id);
  });
}
