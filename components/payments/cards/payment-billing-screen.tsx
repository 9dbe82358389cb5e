import { useLocale, useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { BillingAddressList } from "@/components/accounts/billing/billing-address-list";
import { countryOptions } from "@/components/accounts/billing/country-options";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Page } from "@/components/ui/page";
import type { BillingPage } from "@/lib/accounts/billing/contract";
import { StoredCards } from "./stored-cards";

const MESSAGES = [
  "payments.cards",
  "payments.sandbox.approve",
  "payments.sandbox.refuse",
  "payments.sandbox.challenge_title",
  "payments.stripe.loading",
  "accounts.billing",
  "errors.network",
  "errors.field_required",
];

/** Stored cards and billing addresses. `returned`: the result of the bank's page (docs/product.md#21-pages). */
export function PaymentBillingScreen({
  billing,
  returned,
}: {
  billing: BillingPage;
  returned: string | undefined;
}) {
  const t = useTranslations("payments.cards");
  return (
    <Page narrow above={<AccountNav />} title={t("page_title")} lead={t("page_lead")}>
      <ScopedMessages branches={MESSAGES}>
        <div className="flex flex-col gap-14">
          <StoredCards initial={billing.cards} returned={returned} />
          <BillingAddressList initial={billing.addresses} countries={countryOptions(useLocale())} />
        </div>
      </ScopedMessages>
    </Page>
  );
}
