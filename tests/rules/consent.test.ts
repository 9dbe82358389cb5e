import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CONSENT_WORDING_VERSION, TERMS_VERSION } from "@/lib/delivery/rules";
import { DELIVERY_CHOICE_DESCRIPTION } from "@/lib/orders/delivery-options/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";

const read = (path: string) => readFileSync(path, "utf8");
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/**
 * The texts that ask for consent: the choice of the checkout, and the words and the button on a ticket's stub, for buyers with a
 * statutory right of withdrawal and for others.
 */
function consentTexts(locale: Locale): string {
  const { orders, delivery } = JSON.parse(read(`messages/${locale}.json`));
  const { email, email_hint, library, library_hint, email_hint_plain, library_hint_plain } =
    orders.checkout.delivery;
  const { reveal, consent_text, consent_text_plain } = delivery.code;
  const statutory = [email, email_hint, library, library_hint, consent_text, reveal];
  return [...statutory, email_hint_plain, library_hint_plain, consent_text_plain].join("\n");
}

/** A changed text gets a new version here and in `lib/delivery/rules.ts`, because stored consents name the version. */
const WORDINGS: Record<string, Record<Locale | "api", string>> = {
  "2026-11-23": { en: "9d4ca00ee3d1", zh: "45c6a0f4076d", ja: "e387d0d96035", api: "c2b10cdc67fd" },
  "2026-11-24": { en: "ae827d5f7607", zh: "c7cea792630e", ja: "318101514df0", api: "c2b10cdc67fd" },
  "2026-11-24.2": { en: "ae827d5f7607", zh: "c7cea792630e", ja: "61a14c9acc99", api: "c2b10cdc67fd" },
  "2026-11-29": { en: "dc3290f1782f", zh: "fef65e98f391", ja: "6af856a03749", api: "c2b10cdc67fd" },
  "2026-11-29.2": { en: "c4e8f9caee46", zh: "fef65e98f391", ja: "6af856a03749", api: "c2b10cdc67fd" },
  "2026-11-30": { en: "686b52017659", zh: "b078fd6796b4", ja: "93ace9b433e5", api: "c2b10cdc67fd" },
  "2026-11-30.2": { en: "686b52017659", zh: "b078fd6796b4", ja: "699fb4f8f7f6", api: "c2b10cdc67fd" },
  "2026-11-23.2": { en: "c9344c120431", zh: "1e44b470de7d", ja: "7c4168e52bd9", api: "c2b10cdc67fd" },
};

/** The section of the terms on delivery. A changed one gets a new date, which the first line of the terms shows. */
const TERMS: Record<string, Record<Locale, string>> = {
  "2026-11-23": { en: "1ceba26cbc66", zh: "a53371c245a6", ja: "7619ed4d9e7a" },
  "2026-11-29": { en: "520b351128e1", zh: "54ffad39ddda", ja: "3a14072d6a30" },
  "2026-11-30": { en: "520b351128e1", zh: "54ffad39ddda", ja: "3a14072d6a30" },
  "2026-12-01": { en: "520b351128e1", zh: "54ffad39ddda", ja: "4d59d63358d5" },
};

describe("a stored consent", () => {
  it("names the version of the texts that requested it", () => {
    const current = Object.fromEntries(LOCALES.map((locale) => [locale, digest(consentTexts(locale))]));
    expect({ ...current, api: digest(DELIVERY_CHOICE_DESCRIPTION) }).toEqual(
      WORDINGS[CONSENT_WORDING_VERSION],
    );
  });

  it.each(LOCALES)("names the date of the terms, as they say in %s", (locale) => {
    const text = read(`db/seed/legal/terms-of-service.${locale}.md`);
    const [year, month, day] = TERMS_VERSION.split("-").map(Number) as [number, number, number];
    const date = new Date(Date.UTC(year, month - 1, day));
    const format = (tag: string) => date.toLocaleDateString(tag, { dateStyle: "long", timeZone: "UTC" });
    const dates = { en: format("en-GB"), zh: `${year} 年 ${month} 月 ${day} 日`, ja: format("ja") };
    expect(text).toContain(dates[locale]);
    const delivery = text.slice(text.indexOf("## 5."), text.indexOf("## 6."));
    expect(digest(delivery)).toBe(TERMS[TERMS_VERSION]?.[locale]);
  });
});
