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
  /** the tax that prices include, or that is added, with country and rate where the reader's country is known; null: none */
  tax: { country: string | null; percent: number | null; added: boolean } | null;
}) {
  const t = useTranslations("cart");
  const texts = useTranslations("orders.tax");
  const name = texts(tax?.country === "JP" ? "name.consumption" : "name.vat");
  const taxText =
    tax &&
    (tax.percent === null
      ? texts(tax.added ? "added_unknown" : "included_unknown")
      : texts(tax.added ? "plus" : "included", { percent: tax.percent, name }));
  const addedBps = tax?.added && tax.percent !== null ? Math.round(tax.percent * 100) : 0;
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
        <CartContents initial={cart} coupons={coupons} tax={taxText} addedBps={addedBps} />
      </ScopedMessages>
    </Page>
  );
}
