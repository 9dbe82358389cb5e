"use client";

import { useTranslations } from "next-intl";
import { RefundLine } from "@/components/payments/refund-line";
import { LegalLinks } from "@/components/shell/legal-links";
import type { OrderDetail } from "@/lib/orders/contract";

/** What a buyer may rely on, beside the button that pays: the refund line, and the legal pages. */
export function CheckoutTrust({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.checkout");
  const links = useTranslations("ui.links");
  const [first, ...others] = order.order_products;
  const sameForAll = others.length === 0;
  return (
    <section aria-label={t("trust")} className="border-t border-hairline pt-3">
      {first && sameForAll ? (
        <RefundLine refund={first.refund} />
      ) : (
        <p className="text-13 text-quiet">{t("refund_each")}</p>
      )}
      <LegalLinks labels={{ refunds: links("refunds"), terms: links("terms"), privacy: links("privacy") }} />
    </section>
  );
}
