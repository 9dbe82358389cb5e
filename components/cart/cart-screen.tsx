import { useTranslations } from "next-intl";
import { UNIT_PRICE_MESSAGES } from "@/components/catalog/product/unit-price";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Page } from "@/components/ui/page";
import type { CartView } from "@/lib/cart/contract";
import type { CartCoupons } from "@/lib/coupons/contract";
import { CartContents } from "./cart-contents";
import { OpenOrderNotice } from "./open-order-notice";

const MESSAGES = [
  "cart",
  ...UNIT_PRICE_MESSAGES,
  "coupons.bind",
  "coupons.field",
  "coupons.terms",
  "payments.refund",
  "errors.network",
];

/** The cart page: selectable lines, their total and the checkout button. */
export function CartScreen({
  cart,
  coupons,
  openOrder,
}: {
  cart: CartView;
  coupons: CartCoupons;
  openOrder: { order_id: string; hold_ends_at: string } | null;
}) {
  const t = useTranslations("cart");
  return (
    <Page title={t("title")}>
      {openOrder && <OpenOrderNotice order={openOrder} serverTime={cart.server_time} />}
      <ScopedMessages branches={MESSAGES}>
        <CartContents initial={cart} coupons={coupons} />
      </ScopedMessages>
    </Page>
  );
}
