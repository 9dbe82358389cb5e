import { useTranslations } from "next-intl";
import { UNIT_PRICE_MESSAGES } from "@/components/catalog/product/unit-price";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Page } from "@/components/ui/page";
import type { OrderDetail } from "@/lib/orders/contract";
import type { CheckoutAccount } from "./checkout-email";
import { CheckoutForm } from "./checkout-form";

const MESSAGES = [
  "accounts.verify",
  "accounts.code",
  "accounts.missing",
  ...UNIT_PRICE_MESSAGES,
  "orders.checkout",
  "payments.approximate",
  "orders.actions",
  "orders.hold",
  "payments",
  "errors.network",
  "errors.payment_unconfirmed",
];

export function CheckoutScreen({ order, account }: { order: OrderDetail; account: CheckoutAccount }) {
  const t = useTranslations("orders.checkout");
  return (
    <Page title={t("title")} narrow>
      <ScopedMessages branches={MESSAGES}>
        <CheckoutForm initial={order} account={account} />
      </ScopedMessages>
    </Page>
  );
}
