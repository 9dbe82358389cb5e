import { useLocale, useTranslations } from "next-intl";
import type { OrderDetail, OrderView } from "@/lib/orders/contract";
import type { OrderTax } from "@/lib/orders/tax/contract";
import { formatPrice, toCents, toSignedCents } from "@/lib/platform/money";

/** What a total says of its tax, such as "incl. 19% VAT: $2.38"; null: nothing, where none is due or a row of its own names it. */
export function useTaxText({ tax, added_tax }: Pick<OrderDetail, "tax" | "added_tax">): string | null {
  const t = useTranslations("orders.tax");
  const locale = useLocale();
  if (!tax || tax.treatment === "outside") return null;
  if (tax.treatment === "reverse_charge") return t("reverse");
  if (tax.country === null || tax.percent === null) return t("included_unknown");
  if (added_tax === tax.amount) return null;
  const name = t(tax.country === "JP" ? "name.consumption" : "name.vat");
  return t("included_amount", {
    name,
    percent: tax.percent,
    amount: formatPrice(toCents(tax.amount), locale),
  });
}

/** The row of the tax that a total has beside the prices: added to them, or taken off; null: there is none. */
export function useAddedTax({
  added_tax,
  tax = null,
}: Pick<OrderView, "added_tax"> & { tax?: OrderTax | null }): { term: string; value: string } | null {
  const t = useTranslations("orders.tax");
  const locale = useLocale();
  const cents = toSignedCents(added_tax);
  if (cents === 0) return null;
  if (cents < 0) return { term: t("taken_off"), value: `−${formatPrice(-cents, locale)}` };
  const isNamed = tax?.amount === added_tax && tax.percent !== null;
  const name = t(tax?.country === "JP" ? "name.consumption" : "name.vat");
  return {
    term: isNamed ? t("added", { name, percent: tax.percent! }) : t("added_unknown"),
    value: formatPrice(cents, locale),
  };
}
