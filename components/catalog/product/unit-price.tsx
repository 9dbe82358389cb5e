import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import type { passNameKey } from "@/lib/catalog/pricing/rules";
import { formatPrice, toCents } from "@/lib/platform/money";

type Line = Parameters<typeof passNameKey>[0] & {
  price: number;
  price_per_day: number | null;
  quantity: number;
};

/** The messages that the component below needs on the client. */
export const UNIT_PRICE_MESSAGES = [
  "catalog.comparison",
  "catalog.each",
  "catalog.units",
  "catalog.pay_once",
  "catalog.per_day",
  "catalog.pass_days",
  "catalog.pass_type",
];

/**
 * The unit price and price per day of a line, shown beneath the line total so that the total is not mistaken for the
 * unit price. `counted` also shows the quantity, for lines that show it nowhere else.
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
