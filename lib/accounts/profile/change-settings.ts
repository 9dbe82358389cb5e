import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { changeNotifications } from "@/lib/notifications/settings/change-notifications";
import type { UpdateNotificationsInput } from "@/lib/notifications/settings/contract";
import { getNotifications } from "@/lib/notifications/settings/get-notifications";
import type { UserViewer } from "@/lib/platform/auth/session";

/**
 * Saves which bulk emails the viewer receives and, when submitted, the account's language, in one transaction.
 * @throws ShopError email_unverified
 */
export async function changeSettings(viewer: UserViewer, input: UpdateNotificationsInput) {
  await transaction(async (tx) => {
    if (input.locale) await tx.update(users).set({ locale: input.locale }).where(eq(users.id, viewer.userId));
    await changeNotifications(tx, viewer, input);
  });
  return getNotifications(viewer);
}
