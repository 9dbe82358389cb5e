import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import type { passNameKey } from "@/lib/catalog/pricing/rules-pass-name";
import { formatPrice, toCents } from "@/lib/platform/money";

type Line = Parameters<typeof passNameKey>[0] & {
  price: number;
  price_per_day: number | null;
  quantity: number;
};

/** The messages that the part below needs where it is a client part. */
export const UNIT_PRICE_MESSAGES = [
  "catalog.each",
  "catalog.units",
  "catalog.pay_once",
  "catalog.per_day",
  "catalog.pass_days",
  "catalog.pass_type",
];

/**
 * What one pass of a line costs, and a day of it, beneath the price of the whole line, which would otherwise be read
 * as that of one. `counted`: says how many too, where nothing else on the line does.
 */
export function UnitPrice({ line, counted = false }: { line: Line; counted?: boolean }) {
  const t = useTranslations("catalog");
  const { perDay } = usePassLabels();
  const price = formatPrice(toCents(line.price), useLocale());
  const day = perDay(line);
  return (
    <>
      {line.quantity > 1 && (
        <span className="block">
          {counted ? t("units", { count: line.quantity, price }) : t("each", { price })}
        </span>
      )}
      {day && <span className="block">{day}</span>}
    </>
  );
}
