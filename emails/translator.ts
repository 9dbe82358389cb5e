import { createTranslator } from "next-intl";
import { cacheByLocale, translatorOptions } from "@/lib/platform/i18n/shop-translator";

/** Messages of emails. A missing message or value throws, so that no incomplete email is sent. */
export const mailTranslator = cacheByLocale((locale) =>
  createTranslator({ ...translatorOptions(locale), namespace: "emails" }),
);

/** Messages of the refund decision, for API results that contain its sentence. */
export const refundTranslator = cacheByLocale((locale) =>
  createTranslator({ ...translatorOptions(locale), namespace: "payments.refund" }),
);

export type MailTranslator = ReturnType<typeof mailTranslator>;
