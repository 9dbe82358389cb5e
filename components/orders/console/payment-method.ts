import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { WALLET_NAMES } from "@/lib/payments/rules";

/** How an order was paid, in words; another method by the provider's name. */
export function usePaymentMethod(): (method: string | null) => string {
  const t = useTranslations("console.orders");
  return useCallback(
    (method) =>
      method === null ? "–" : method === "card" ? t("payment_card") : (WALLET_NAMES[method] ?? method),
    [t],
  );
}
