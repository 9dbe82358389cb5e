import { refundTranslator } from "@/emails/translator";
import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { Wording } from "./rules-products";

/** The texts of responses in one language. */
export function responseWording(locale: Locale): Wording {
  const t = shopTranslator(locale);
  return {
    origin: new URL(env().APP_URL).origin,
    locale,
    option: t("catalog.product.pass"),
    day: t("agents.answers.day"),
    delivery: t("catalog.product.delivery_value"),
    estimate: t("agents.answers.estimate"),
    refund: refundTranslator(locale),
  };
}
