import { useLocale, useTranslations } from "next-intl";
import type { OrderTax } from "@/lib/orders/tax/contract";
import { formatPrice, toCents } from "@/lib/platform/money";

/** What a total says of its tax, such as "incl. 19% VAT: $2.38"; null: nothing, where none is due. */
export function useTaxText(tax: OrderTax | null): string | null {
  const t = useTranslations("orders.tax");
  const locale = useLocale();
  if (!tax || tax.treatment === "outside") return null;
  if (tax.treatment === "reverse_charge") return t("reverse");
  if (tax.country === null || tax.percent === null) return t("included_unknown");
  const name = t(tax.country === "JP" ? "name.consumption" : "name.vat");
  return t("included_amount", {
    name,
    percent: tax.percent,
    amount: formatPrice(toCents(tax.amount), locale),
  });
}
