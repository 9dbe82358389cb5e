import { sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { merchantTradeFields } from "@/db/schema/merchants";
import { COUNTRIES } from "@/lib/accounts/billing/rules";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type FieldIssue, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parsePhone } from "@/lib/platform/phone";
import type { TradeDetailsInput, TradeFile } from "./contract";
import { getTradeFile } from "./get-trade-file";
import { readStoredFile } from "./read-trade-file";
import type { TradeField } from "./rules";
import { lockTradeFile, readShopTime, settleTradeFile } from "./settle-trade-file";
import { changedFields, toValues } from "./values";

/** Forms of business that need no registration. */
const UNREGISTERED_FORMS: readonly (string | null)[] = ["individual", "partnership", null];
/** A VAT id begins with a country, in the EU, the UK, Switzerland and Norway; elsewhere it is a number. */
const VAT_ID = /^[A-Z0-9](?:[A-Z0-9 ./-]{2,18}[A-Z0-9])$/;

/** The errors of the typed details in the reader's language, and the details as they are stored. */
function check(input: TradeDetailsInput, locale: Locale) {
  const issues: FieldIssue[] = [];
  const add = (path: string, name: ErrorName) => issues.push({ path, message: errorMessage(name, locale) });
  const { revision: _, ...details } = input;
  const vatId = details.vat_id.toUpperCase();
  if (vatId && !VAT_ID.test(vatId)) add("vat_id", "field_invalid");
  if (details.country && !COUNTRIES.includes(details.country)) add("country", "country_invalid");
  const phone = details.phone ? parsePhone(details.phone, locale, details.country || null) : undefined;
  if (details.phone && !phone) add("phone", "phone_invalid");
  if (details.unregistered && !UNREGISTERED_FORMS.includes(details.form))
    add("register_name", "field_required");
  const half = (one: string, other: string, path: string) => {
    if (one && !other) add(path, "field_required");
  };
  if (!details.unregistered) {
    half(details.register_name, details.register_number, "register_number");
    half(details.register_number, details.register_name, "register_name");
  }
  const isAddress = details.line1 || details.city || details.postal_code;
  for (const name of ["line1", "city", "country"] as const)
    if (isAddress && !details[name]) add(name, "field_required");
  if (details.contact_name && !details.contact_email) add("contact_email", "field_required");
  return { issues, details: { ...details, vat_id: vatId, phone: phone?.formatInternational() ?? "" } };
}

/**
 * Saves all details that an owner typed. A changed field becomes `given` again, even if staff had checked it. The audit
 * log names the fields, not their values.
 * @throws ShopError invalid_input, revision_conflict: it was changed since it was read
 */
export async function saveTradeDetails(
  viewer: MerchantViewer,
  input: TradeDetailsInput,
  locale: Locale,
): Promise<TradeFile> {
  const { issues, details } = check(input, locale);
  if (issues.length > 0) throw new ShopError("invalid_input", { issues });
  const { merchant, actor } = viewer;
  return transaction(async (tx) => {
    const file = await lockTradeFile(tx, merchant.id);
    if (String(file.revision) !== input.revision) throw new ShopError("revision_conflict");
    const { fields } = await readStoredFile(merchant.id, await readShopTime(tx), tx);
    const changed = changedFields(fields, details);
    if (changed.length === 0) return getTradeFile(viewer, tx);
    const values = toValues(details);
    for (const field of changed)
      await storeField(tx, merchant.id, { field, value: values[field] || null, actor });
    await audit({ actor, action: "trade_file.saved", subject: merchant.id, detail: { fields: changed } }, tx);
    await settleTradeFile(tx, merchant.id, actor);
    return getTradeFile(viewer, tx);
  });
}

type Given = { field: TradeField; value: unknown; actor: string; expiresAt?: Date };

/** Stores a field as given now, or as missing without a value. */
export async function storeField(
  tx: Tx,
  merchantId: string,
  { field, value, actor, expiresAt }: Given,
): Promise<void> {
  const isGiven = value !== null;
  const row = {
    // SQL NULL, because a JSON null would count as a value.
    value: isGiven ? value : sql`null`,
    givenAt: isGiven ? shopNow : null,
    givenBy: isGiven ? actor : null,
    checkedAt: null,
    checkedBy: null,
    checkedHow: null,
    note: null,
    expiresAt: expiresAt ?? null,
  };
  await tx
    .insert(merchantTradeFields)
    .values({ merchantId, field, ...row })
    .onConflictDoUpdate({ target: [merchantTradeFields.merchantId, merchantTradeFields.field], set: row });
}
