import { PASS_DAYS, PASS_TYPES } from "@/lib/catalog/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { passNameKey } from "./rules";

/** The name of a pass in the reader's language, as `vip_type`: "Week pass", "3-day pass". */
export function passLabel(pass: Parameters<typeof passNameKey>[0], locale: Locale): string {
  const { key, values } = passNameKey(pass);
  return shopTranslator(locale)(key, values);
}

const typesByLabel = () =>
  new Map(
    PASS_TYPES.flatMap((pass_type) =>
      LOCALES.map((locale) => [
        passLabel({ pass_type, duration_days: PASS_DAYS[pass_type] }, locale).toLowerCase(),
        pass_type,
      ]),
    ),
  );
let labels: ReturnType<typeof typesByLabel> | undefined;

/** The type with this label in any language, "Week pass" or 周卡; any other text as it is. */
export function toPassType(text: string): string {
  labels ??= typesByLabel();
  return labels.get(text.trim().toLowerCase()) ?? text;
}
