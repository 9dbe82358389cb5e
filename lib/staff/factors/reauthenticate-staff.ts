import { and, eq, isNotNull } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { ReauthenticateInput, ReauthenticationView } from "@/lib/accounts/profile/contract";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import { getSecurity } from "@/lib/accounts/reauthentication/require-reauthentication";
import type { UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { checkCode, checked } from "./check-code";

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
