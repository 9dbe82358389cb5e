import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { audit } from "@/lib/platform/audit";
import { isLocale } from "@/lib/platform/i18n/locales";
import type { ApplicationState } from "./rules";

export type ApplicationDecision = {
  state: "approved" | "refused";
  /** The deciding staff member: `staff:mara`. */
  by: string;
  /** A note for the applicant; of a refusal, the reason. */
  note?: string;
};

/** `decided`: by this call. `already`: decided before; `state` is the result. */
export type ApplicationResult = { outcome: "decided" | "already"; state: ApplicationState; email: string };

/**
 * Approves or refuses a merchant application and mails the applicant (docs/product.md#813-merchants). The first
 * decision counts; repeating it changes nothing. Null when there is no such application.
 */
export async function decideApplication(
  applicationId: string,
  { state, by, note }: ApplicationDecision,
): Promise<ApplicationResult | null> {
  return transaction(async (tx) => {
    const [application] = await tx.execute<{ state: ApplicationState; email: string; locale: string }>(
      sql`select state, email, locale from merchant_applications where id = ${applicationId} for update`,
    );
    if (!application) return null;
    const { email, locale } = application;
    if (application.state !== "received") return { outcome: "already", state: application.state, email };
    await tx.execute(sql`
      update merchant_applications set state = ${state}, decided_at = shop_now(), decided_by = ${by}, note = ${note ?? null}
      where id = ${applicationId}`);
    const event = `application-${state}` as const;
    await queueMail(tx, {
      event,
      to: email,
      locale: isLocale(locale) ? locale : "en",
      refs: { applicationId },
      dedupeKey: `${event}:${applicationId}`,
    });
    const detail = { applicationId, ...(note && { note }) };
    await audit({ actor: by, action: `application_${state}`, subject: applicationId, detail }, tx);
    return { outcome: "decided", state, email };
  });
}
