import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { passNameKey } from "./rules";

/** The name of a pass in the reader's language, as `vip_type_label`: "Week pass", "3-day pass". */
export function passLabel(pass: Parameters<typeof passNameKey>[0], locale: Locale): string {
  const { key, values } = passNameKey(pass);
  return shopTranslator(locale)(key, values);
}
