import { eq } from "drizzle-orm";
import { Secret } from "otpauth";
import { renderSVG } from "uqr";
import { shopNow, transaction } from "@/db/client";
import { secondFactors } from "@/db/schema/staff";
import { requireReauthentication } from "@/lib/accounts/reauthentication/require-reauthentication";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { FactorSetupView, RecoveryCodesView } from "@/lib/staff/contract";
import { authenticator, checkCode, checked, notifyOwner } from "./check-code";
import { leaveEverywhere, startStaffMode } from "./enter-staff-mode";
import { endFactor, hasFactor, lockUser } from "./remove-factor";
import { createRecoveryCodes } from "./renew-recovery-codes";

const SECRET_BYTES = 20;

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
