import { useTranslations } from "next-intl";
import { UNIT_PRICE_MESSAGES } from "@/components/catalog/product/unit-price";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import type { CartView } from "@/lib/cart/contract";
import type { CartCoupons } from "@/lib/coupons/contract";
import { CartContents } from "./cart-contents";

const MESSAGES = [
  "cart",
  "payments.approximate",
  ...UNIT_PRICE_MESSAGES,
  "coupons.bind",
  "coupons.field",
  "coupons.terms",
  "payments.refund",
  "errors.network",
];

export function CartScreen({
  cart,
  coupons,
  openOrder,
  tax,
}: {
  cart: CartView;
  coupons: CartCoupons;
  openOrder: { order_id: string; hold_ends_at: string } | null;
  /** the tax that prices include, with country and rate where the reader's country is known; null: none */
  tax: { country: string | null; percent: number | null } | null;
}) {
  const t = useTranslations("cart");
  const texts = useTranslations("orders.tax");
  const included =
    tax &&
    (tax.percent === null
      ? texts("included_unknown")
      : texts("included", {
          percent: tax.percent,
          name: texts(tax.country === "JP" ? "name.consumption" : "name.vat"),
        }));
  const holdMs = openOrder ? Date.parse(openOrder.hold_ends_at) - Date.parse(cart.server_time) : 0;
  return (
    <Page title={t("title")}>
      {openOrder && (
        <Notice
          kind="warn"
          title={t("open_order.title")}
          className="mb-6"
          action={
            <ButtonLink href={`/checkout?order_id=${openOrder.order_id}`}>
              {t("open_order.action")}
            </ButtonLink>
          }
        >
          {t("open_order.text", { minutes: Math.max(0, Math.floor(holdMs / 60_000)) })}
        </Notice>
      )}
      <ScopedMessages branches={MESSAGES}>
        <CartContents initial={cart} coupons={coupons} tax={included} />
      </ScopedMessages>
    </Page>
  );
}
