"use client";

import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import type { OrderDetail } from "@/lib/orders/contract";
import type { DeliveryChoice } from "./use-delivery-choice";

/** How the codes are delivered: the consent to immediate delivery, and by email or to the library only. */
export function CheckoutDelivery({ order, delivery }: { order: OrderDetail; delivery: DeliveryChoice }) {
  const t = useTranslations("orders.checkout");
  const refundable = order.order_products.some((line) => line.refund.refundable);
  return (
    <div ref={delivery.box} className="flex flex-col">
      <Checkbox
        name="agree"
        label={t("agree")}
        hint={t("agree_hint")}
        error={delivery.missing ? t("agree_missing") : undefined}
        checked={delivery.agreed}
        required
        onChange={(event) => delivery.agree(event.target.checked)}
      />
      {refundable && (
        <Checkbox
          name="keep"
          label={t("keep_codes")}
          hint={t("keep_codes_hint")}
          checked={delivery.keep}
          onChange={(event) => delivery.keepCodes(event.target.checked)}
        />
      )}
    </div>
  );
}
