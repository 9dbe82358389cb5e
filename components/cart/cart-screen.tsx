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

/** Links from the cart to the order that is still unpaid. */
function OpenOrderNotice({
  order,
  serverTime,
}: {
  order: { order_id: string; hold_ends_at: string };
  serverTime: string;
}) {
  const t = useTranslations("cart.open_order");
  const minutes = Math.max(0, Math.floor((Date.parse(order.hold_ends_at) - Date.parse(serverTime)) / 60_000));
  return (
    <Notice
      kind="warn"
      title={t("title")}
      className="mb-6"
      action={<ButtonLink href={`/checkout?order_id=${order.order_id}`}>{t("action")}</ButtonLink>}
    >
      {t("text", { minutes })}
    </Notice>
  );
}
