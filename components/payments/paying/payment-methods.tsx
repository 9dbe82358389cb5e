"use client";

import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import { Icon } from "@/components/ui/icon";
import { useRequest } from "@/components/ui/use-call";
import { brandName, expiryText, isExpired } from "@/lib/payments/cards/rules";
import { isRedirectMethod, type RedirectMethod } from "@/lib/payments/rules";
import { api } from "@/lib/platform/api/client";

/** A new card, the ID of a stored card, or a method with a page of its own. Wallets have their own buttons above. */
export type PaymentMethod = "card" | (string & {});

export const isStored = (method: PaymentMethod) => method !== "card" && !isRedirectMethod(method);

const readCards = () => api.get("/payment/cards");

/**
 * Selects a stored card or a new card. Both pay the same intent. The stored cards load after the page. Until then, only
 * a new card is available.
 */
export function PaymentMethods({
  value,
  disabled,
  redirects = [],
  onChange,
}: {
  value: PaymentMethod;
  disabled: boolean;
  /** methods with a page of their own, where the provider's fields do not list them */
  redirects?: readonly RedirectMethod[];
  onChange: (method: PaymentMethod) => void;
}) {
  const t = useTranslations("payments.method");
  const labels = useTranslations("payments.cards");
  const { result } = useRequest(readCards);
  const now = new Date();
  const cards = result?.ok ? result.data.cards.filter((card) => !isExpired(card, now)) : [];
  const stored = cards.map((card) => ({
    method: card.payment_id,
    icon: "card" as const,
    label: labels("ending", { brand: brandName(card.brand) ?? labels("card"), last4: card.last4 }),
    hint: labels("expires", { date: expiryText(card) }),
  }));
  const newCard = {
    method: "card",
    icon: "card" as const,
    label: t(cards.length > 0 ? "other_card" : "card"),
    hint: t("card_hint"),
  };
  const pages = redirects.map((method) => ({
    method,
    icon: "phone" as const,
    label: t(`redirect.${method}`),
    hint: t("redirect_hint"),
  }));
  return (
    <fieldset disabled={disabled}>
      <legend className="sr-only">{t("legend")}</legend>
      <div className="grid gap-3 @min-[30rem]:grid-cols-2">
        {[...stored, newCard, ...pages].map(({ method, icon, label, hint }) => (
          <div
            key={method}
            className="flex items-center rounded-control border border-control bg-raised px-4 py-1 has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2"
          >
            <Checkbox
              type="radio"
              name="payment-method"
              value={method}
              checked={value === method}
              onChange={() => onChange(method)}
              label={<span className="font-medium">{label}</span>}
              hint={hint}
              className="flex-1"
            />
            <Icon name={icon} className="text-quiet" />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
