import { and, eq, isNotNull } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { ReauthenticateInput, ReauthenticationView } from "@/lib/accounts/profile/contract";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import { getSecurity } from "@/lib/accounts/reauthentication/require-reauthentication";
import { audit } from "@/lib/platform/audit";
import { findMemberships } from "@/lib/platform/auth/merchant-access";
import type { UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { checkCode, checked } from "./check-code";
import { startStaffMode } from "./enter-staff-mode";

/**
 * Reauthenticates a session with the password, or the mailed code of an account without one, and the second factor. Staff
 * mode that has ended begins again.
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
      if (!viewer.factor.active) {
        await startStaffMode(tx, viewer);
        const action = viewer.staff ? "staff.entered" : "merchant.entered";
        const detail = outcome.recovery ? { with: "recovery code" } : undefined;
        await audit({ actor: viewer.userId, action, subject: viewer.userId, detail }, tx);
      }
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

/** Whether a second factor opens something to this person: the staff console, or a merchant's changes. */
export const mayEnterStaffMode = async ({ userId, staff }: UserViewer): Promise<boolean> =>
  Boolean(staff) || (await findMemberships(userId)).length > 0;
