import { refundTranslator } from "@/emails/translator";
import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { Wording } from "./rules-products";

/** The texts of the doors in one language. */
export function doorWording(locale: Locale): Wording {
  const t = shopTranslator(locale);
  return {
    origin: new URL(env().APP_URL).origin,
    locale,
    option: t("catalog.product.pass"),
    day: t("agents.door.day"),
    delivery: t("catalog.product.delivery_value"),
    estimate: t("agents.door.estimate"),
    refund: refundTranslator(locale),
  };
}
