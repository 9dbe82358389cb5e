import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { COUNTRIES } from "@/lib/accounts/billing/rules";
import { findTranslationFlaw } from "@/lib/catalog/translation/rules";
import { findNameProblem } from "@/lib/merchants/names/require-name";
import type { MerchantProfile, ProfileInput } from "@/lib/merchants/profile/contract";
import { normalizeProductUrl } from "@/lib/merchants/rules";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type FieldIssue, ShopError } from "@/lib/platform/errors";
import { LOCALES, type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";
import { getProfile, toProfile } from "./get-profile";

/** Every flaw of a profile, in the reader's language. */
function findFlaws({ website, country, texts }: ProfileInput, locale: Locale): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const add = (path: string, name: ErrorName, values = {}) =>
    issues.push({ path, message: errorMessage(name, locale, values) });
  if (website && !normalizeProductUrl(website)) add("website", "field_url");
  if (country && !COUNTRIES.includes(country)) add("country", "country_invalid");
  for (const language of LOCALES) {
    const flaw = texts[language] && findTranslationFlaw(language, texts[language]);
    if (flaw) add(`texts.${language}`, flaw.error, flaw.values);
  }
  if (!texts.en && TRANSLATIONS.some((language) => texts[language])) add("texts.en", "field_required");
  return issues;
}

/**
 * Changes the whole profile. Another name waits for staff (lib/merchants/names).
 * @throws ShopError invalid_input, revision_conflict: it was changed since it was read
 */
export async function saveProfile(
  viewer: MerchantViewer,
  input: ProfileInput,
  locale: Locale,
): Promise<MerchantProfile> {
  const issues = findFlaws(input, locale);
  if (issues.length > 0) throw new ShopError("invalid_input", { issues });
  const { id } = viewer.merchant;
  return transaction(async (tx) => {
    const row = await lockMerchant(tx, id);
    const before = row && toProfile(row);
    if (before?.revision !== input.revision) throw new ShopError("revision_conflict");
    const { name, country, texts } = input;
    const isNew = name !== before.name && name !== before.proposed_name;
    const problem = isNew && (await findNameProblem(tx, name, id));
    if (problem)
      throw new ShopError("invalid_input", {
        issues: [{ path: "name", message: errorMessage(problem, locale) }],
      });
    await tx
      .update(merchants)
      .set({
        ...(isNew && { proposedName: name, proposedNameAt: shopNow, nameNote: null }),
        ...(name === before.name && { proposedName: null, proposedNameAt: null }),
        country: country || null,
        locale: input.locale,
        supportEmail: input.support_email,
        website: input.website ? normalizeProductUrl(input.website) : null,
        texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")),
        closedUntil: input.closed_until ? new Date(`${input.closed_until}T23:59:59Z`) : null,
      })
      .where(eq(merchants.id, id));
    const after = await getProfile(viewer, tx);
    if (after.revision !== before.revision)
      await audit(
        {
          actor: viewer.actor,
          action: "merchant.profile",
          subject: id,
          detail: { before: changedFields(before, after), after: changedFields(after, before) },
        },
        tx,
      );
    return after;
  });
}

/** The fields of a profile that differ from another one. */
const changedFields = (profile: MerchantProfile, other: MerchantProfile) =>
  Object.fromEntries(
    Object.entries(profile).filter(
      ([name, value]) =>
        name !== "revision" &&
        JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(other)).get(name)),
    ),
  );
