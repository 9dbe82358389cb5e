import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { changeNotifications } from "@/lib/notifications/settings/commands";
import type { NotificationsView, UpdateNotificationsInput } from "@/lib/notifications/settings/contract";
import { getNotifications } from "@/lib/notifications/settings/queries";
import type { UserViewer } from "@/lib/platform/auth/session";

/**
 * Saves which bulk emails the viewer receives and, when given, the account's language: both or neither.
 * @throws ShopError email_unverified
 */
export async function changeSettings(
  viewer: UserViewer,
  input: UpdateNotificationsInput,
): Promise<NotificationsView> {
  await transaction(async (tx) => {
    if (input.locale)
      await tx.execute(sql`update users set locale = ${input.locale} where id = ${viewer.userId}`);
    await changeNotifications(tx, viewer, input);
  });
  return getNotifications(viewer);
}
