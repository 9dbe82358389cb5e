import { useTranslations } from "next-intl";
import { UNIT_PRICE_MESSAGES } from "@/components/catalog/product/unit-price";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Page } from "@/components/ui/page";
import type { CartCoupons } from "@/lib/coupons/contract";
import type { OrderDetail } from "@/lib/orders/contract";
import type { CheckoutAccount } from "./checkout-email";
import { CheckoutForm } from "./checkout-form";

const MESSAGES = [
  "accounts.verify",
  "accounts.code",
  "accounts.missing",
  ...UNIT_PRICE_MESSAGES,
  "orders.checkout",
  "orders.tax",
  "orders.gift",
  "coupons.field",
  "payments.approximate",
  "orders.actions",
  "orders.detail.cancel_requested",
  "orders.hold",
  "ui.links.refunds",
  "ui.links.terms",
  "ui.links.privacy",
  "payments",
  "errors.network",
  "errors.payment_unconfirmed",
];

export function CheckoutScreen({
  order,
  account,
  coupons,
  running,
  support,
  sandbox,
}: {
  order: OrderDetail;
  account: CheckoutAccount;
  /** the account's coupons, for an order without one */
  coupons: CartCoupons;
  /** when the buyer's running passes of the same products end */
  running: Record<number, string>;
  /** the address for questions */
  support: string;
  /** payments are simulated */
  sandbox: boolean;
}) {
  const t = useTranslations("orders.checkout");
  return (
    <Page title={t("title")}>
      <ScopedMessages branches={MESSAGES}>
        <CheckoutForm
          initial={order}
          account={account}
          coupons={coupons}
          running={running}
          support={support}
          sandbox={sandbox}
        />
      </ScopedMessages>
    </Page>
  );
}
