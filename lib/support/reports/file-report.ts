import { transaction } from "@/db/client";
import { contentReports } from "@/db/schema/support";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget, toMailSender } from "@/lib/notifications/take-mail-budget";
import type { Viewer } from "@/lib/platform/auth/session";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { maskMessage } from "@/lib/support/mask-message";
import type { ReportInput, ReportReceived } from "./contract";
import { findTarget } from "./find-target";

/**
 * Records a report of what may be unlawful or misleading and queues its receipt, which repeats nothing that was typed
 * (docs/product.md#817-messages-to-support). A report with the honeypot field filled in gets the same response and is
 * discarded.
 * @throws ShopError report_target_unknown
 */
export async function fileReport(
  viewer: Viewer,
  { kind, target, reason, message, email = null, website }: ReportInput,
  locale: Locale,
  ip: string | undefined,
): Promise<ReportReceived> {
  const found = await findTarget(kind, target, "en");
  if (!found) throw new ShopError("report_target_unknown");
  const id = newId("rpt");
  const user = viewer.kind === "user" ? viewer : null;
  const received = (at: Date, receipt_mailed: boolean): ReportReceived => ({
    receipt: createSignedToken("report-receipt", { id }),
    reference: id,
    received_at: at.toISOString(),
    receipt_mailed,
  });
  if (website) return received(new Date(), email !== null);
  const text = await maskMessage(message, { userId: user?.userId, orderId: undefined });
  return transaction(async (tx) => {
    const values = { id, kind, targetId: found.id, targetName: found.name, reason, text, email, locale };
    const [row] = await tx.insert(contentReports).values(values).returning({ at: contentReports.createdAt });
    const isVerified = user?.emailVerified === true && user.email.toLowerCase() === email;
    const isMailed =
      email !== null && (isVerified || (await isWithinMailBudget(tx, toMailSender(viewer, ip), email)));
    if (isMailed)
      await queueMail(tx, {
        event: "report-received",
        to: email,
        locale,
        refs: { reportId: id },
        dedupeKey: `report-received:${id}`,
      });
    return received(row!.at, isMailed);
  });
}
