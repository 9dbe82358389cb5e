"use client";

import { useTranslations } from "next-intl";
import { useSurface } from "@/components/ui/surface";
import { useApproximate, useCurrency } from "./currency";

/** A price in the reader's currency, marked as approximate: "≈ ¥1,500". The browser fills it in. */
export function ApproximatePrice({ cents }: { cents: number }) {
  const { locale } = useSurface();
  const text = useApproximate(cents, locale);
  return text && <p className="figures text-13 text-quiet">{text}</p>;
}

/** Says what is charged, to readers who see approximate prices. Needs the messages `payments.approximate`. */
export function ChargedCurrency() {
  const t = useTranslations("payments.approximate");
  const currency = useCurrency();
  return currency && currency !== "USD" && <p className="text-13 text-quiet">{t("charged")}</p>;
}
