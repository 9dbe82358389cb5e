import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import type { MerchantProfile } from "@/lib/merchants/profile/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { byLocale, DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";

type Row = typeof merchants.$inferSelect;

/** The profile of a merchant's row. Its revision is a hash of what an owner can change. */
export function toProfile(row: Row): MerchantProfile {
  const values = {
    name: row.name,
    proposed_name: row.proposedName,
    website: row.website,
    support_email: row.supportEmail,
    country: row.country,
    locale: isLocale(row.locale) ? row.locale : DEFAULT_LOCALE,
    texts: byLocale((language) => row.texts[language] ?? ""),
    closed_until: row.closedUntil?.toISOString().slice(0, 10) ?? null,
  };
  const revision = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
  return {
    handle: row.handle,
    state: row.state,
    state_note: row.stateNote,
    name_note: row.nameNote,
    ...values,
    revision,
  };
}

/** The profile of the viewer's merchant. */
export async function getProfile({ merchant }: MerchantViewer, tx: Db = db): Promise<MerchantProfile> {
  const [row] = await tx.select().from(merchants).where(eq(merchants.id, merchant.id));
  return toProfile(row!);
}
