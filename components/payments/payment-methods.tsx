"use client";

import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import { Icon } from "@/components/ui/icon";

export const PAYMENT_METHODS = ["card", "wallet"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Card or wallet: both pay the same intent. */
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
  return (
    <fieldset disabled={disabled}>
      <legend className="sr-only">{t("legend")}</legend>
      <div className="grid gap-3 @min-[30rem]:grid-cols-2">
        {PAYMENT_METHODS.map((method) => (
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
              label={<span className="font-medium">{t(method)}</span>}
              hint={t(`${method}_hint`)}
              className="flex-1"
            />
            <Icon name={method === "card" ? "card" : "phone"} className="text-quiet" />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
