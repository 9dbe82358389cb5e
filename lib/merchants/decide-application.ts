import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantApplications } from "@/db/schema/merchants";
import { requireName } from "@/lib/merchants/names/require-name";
import { type LockedMerchant, lockMerchant } from "@/lib/merchants/states/change-state";
import { createInvite } from "@/lib/merchants/team/invite-colleague";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { findNameFlaw } from "@/lib/platform/names";
import { shopNames } from "@/lib/platform/seller";
import { applicationVersionSql } from "./find-application";
import { type ApplicationState, HANDLE_PATTERN, suggestHandle, suggestName } from "./rules";

/** The merchant of an approved application: a new one, or one without members, such as a vendor of the catalogue. */
export type ApprovedMerchant = { merchantId: string } | { handle: string; name: string };

export type ApplicationDecision = {
  state: "approved" | "refused";
  /** Of an approval; by default a new one that is named after the product page. */
  merchant?: ApprovedMerchant;
  /** The deciding staff member: `staff:mara`. */
  decidedBy: string;
  /** A note for the applicant; the reason of a refusal. */
  note?: string;
  /** In the console: what was shown. */
  shown?: SeenVersion;
};

/** `decided`: by this call. `already`: decided before; `state` is the result. */
export type ApplicationResult = {
  outcome: "decided" | "already";
  state: ApplicationState;
  email: string;
  merchant?: { id: string; handle: string };
};

/**
 * Decides an application (docs/product.md#813-merchants) and mails the applicant, once; null when there is none. An approval
 * makes the merchant, or takes one without members, and invites the applicant as its owner.
 * @throws ShopError revision_conflict, handle_invalid, handle_taken, merchant_unknown, merchant_has_members, merchant_state: it
 * has ended, and name_letters, name_address, name_shop, name_taken of a new merchant's name
 */
export async function decideApplication(
  applicationId: string,
  { state, decidedBy, note, merchant: chosen, shown }: ApplicationDecision,
): Promise<ApplicationResult | null> {
  return transaction(async (tx) => {
    const isApplication = eq(merchantApplications.id, applicationId);
    const [application] = await tx.select().from(merchantApplications).where(isApplication).for("update");
    if (!application) return null;
    const { email, locale } = application;
    if (application.state !== "received") return { outcome: "already", state: application.state, email };
    if (shown)
      await requireShownRow(tx, shown, {
        version: applicationVersionSql("a"),
        from: sql`merchant_applications a where a.id = ${applicationId}`,
      });
    await tx
      .update(merchantApplications)
      .set({ state, decidedAt: shopNow, decidedBy, note: note ?? null })
      .where(isApplication);
    const event = `application-${state}` as const;
    const refs = { applicationId };
    await queueMail(tx, { event, to: email, locale, refs, dedupeKey: `${event}:${applicationId}` });
    const detail = { ...refs, ...(note && { note }) };
    await audit({ actor: decidedBy, action: `application_${state}`, subject: applicationId, detail }, tx);
    if (state === "refused") return { outcome: "decided", state, email };
    const { productUrl } = application;
    const merchant = await takeMerchant(
      tx,
      application,
      chosen ?? { handle: suggestHandle(productUrl), name: suggestName(productUrl) },
      decidedBy,
    );
    await createInvite(tx, merchant, { email, role: "owner", locale, actor: decidedBy });
    return { outcome: "decided", state, email, merchant: { id: merchant.id, handle: merchant.handle } };
  });
}

/** Makes the merchant of an application, or takes the chosen one. An active one stays active. */
async function takeMerchant(
  tx: Tx,
  { id: applicationId, locale }: { id: string; locale: string },
  chosen: ApprovedMerchant,
  actor: string,
): Promise<LockedMerchant> {
  if ("merchantId" in chosen) {
    const merchant = await lockMerchant(tx, chosen.merchantId);
    if (!merchant) throw new ShopError("merchant_unknown");
    const [member] = await tx.execute(
      sql`select 1 from merchant_members where merchant_id = ${merchant.id} and ended_at is null limit 1`,
    );
    if (member) throw new ShopError("merchant_has_members");
    await tx.update(merchants).set({ applicationId, locale }).where(eq(merchants.id, merchant.id));
    const detail = { application_id: applicationId };
    await audit({ actor, action: "merchant.attached", subject: merchant.id, detail }, tx);
    return merchant;
  }
  const { handle, name } = chosen;
  if (!HANDLE_PATTERN.test(handle)) throw new ShopError("handle_invalid");
  if (findNameFlaw(handle, shopNames()) === "name_shop") throw new ShopError("handle_taken");
  const [created] = await tx
    .insert(merchants)
    .values({ id: newId("mch"), handle, name: name || handle, state: "invited", locale, applicationId })
    .onConflictDoNothing()
    .returning();
  if (!created) throw new ShopError("handle_taken");
  await requireName(tx, created.name, created.id);
  const detail = { application_id: applicationId, handle, name: created.name };
  await audit({ actor, action: "merchant.created", subject: created.id, detail }, tx);
  return created;
}
