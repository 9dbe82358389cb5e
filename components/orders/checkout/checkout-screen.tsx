import { useTranslations } from "next-intl";
import { UNIT_PRICE_WORDS } from "@/components/catalog/product/unit-price";
import { WordsProvider } from "@/components/shell/words-provider";
import { Page } from "@/components/ui/page";
import type { OrderDetail } from "@/lib/orders/contract";
import type { CheckoutAccount } from "./checkout-account";
import { CheckoutBoard } from "./checkout-board";

const WORDS = [
  "accounts.verify",
  "accounts.code",
  "accounts.missing",
  ...UNIT_PRICE_WORDS,
  "orders.checkout",
  "orders.actions",
  "orders.hold",
  "payments",
  "errors.network",
  "errors.payment_unconfirmed",
];

/** The checkout: one column, three steps on one page, the total always in sight. */
export function CheckoutScreen({ order, account }: { order: OrderDetail; account: CheckoutAccount }) {
  const t = useTranslations("orders.checkout");
  return (
    <Page title={t("title")} narrow>
      <WordsProvider branches={WORDS}>
        <CheckoutBoard initial={order} account={account} />
      </WordsProvider>
    </Page>
  );
}
