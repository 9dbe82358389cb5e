"use client";

import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import { Icon } from "@/components/ui/icon";
import { useRequest } from "@/components/ui/use-call";
import { brandName, expiryText, isExpired } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";

const NEW_METHODS = ["card", "wallet"] as const;
/** A new card, a wallet, or the ID of a stored card. */
export type PaymentMethod = (typeof NEW_METHODS)[number] | (string & {});

export const isStored = (method: PaymentMethod) => !NEW_METHODS.some((newMethod) => newMethod === method);

const readCards = () => api.get("/payment/cards");

/**
 * Selects a stored card, a new card or a wallet. All of them pay the same intent. The stored cards load after the
 * page. Until then, only a new card is available.
 */
export function PaymentMethods({
  value,
  disabled,
  onChange,
}: {
  value: PaymentMethod;
  disabled: boolean;
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
  const newMethods = NEW_METHODS.map((method) => ({
    method,
    icon: method === "card" ? ("card" as const) : ("phone" as const),
    label: t(method === "card" && cards.length > 0 ? "other_card" : method),
    hint: t(`${method}_hint`),
  }));
  return (
    <fieldset disabled={disabled}>
      <legend className="sr-only">{t("legend")}</legend>
      <div className="grid gap-3 @min-[30rem]:grid-cols-2">
        {[...stored, ...newMethods].map(({ method, icon, label, hint }) => (
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
