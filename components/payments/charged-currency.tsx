"use client";

import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";

/** Says what is charged, to readers who see approximate prices. Needs the messages `payments.approximate`. */
export function ChargedCurrency() {
  const t = useTranslations("payments.approximate");
  const currency = useCurrency();
  return currency && currency !== "USD" && <p className="text-13 text-quiet">{t("charged")}</p>;
}
