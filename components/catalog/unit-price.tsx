import { useLocale, useTranslations } from "next-intl";
import { formatPrice, toCents } from "@/lib/money";

/**
 * What one pass of a line costs, beneath the price of the whole line, which would otherwise be read as that of one.
 * `counted`: says how many too, where nothing else on the line does.
 */
export function UnitPrice({
  line: { price, quantity },
  counted = false,
}: {
  line: { price: number; quantity: number };
  counted?: boolean;
}) {
  const t = useTranslations("catalog");
  const each = formatPrice(toCents(price), useLocale());
  if (quantity === 1) return null;
  return (
    <span className="block">
      {counted ? t("units", { count: quantity, price: each }) : t("each", { price: each })}
    </span>
  );
}
