import { useLocale, useTranslations } from "next-intl";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { SubscribeSection } from "@/components/notifications/subscribe-section";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { ProductList } from "@/lib/catalog/contract";
import type { FreeVouchers } from "@/lib/coupons/contract";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { formatPrice, toCents } from "@/lib/platform/money";
import { VoucherClaim } from "./voucher-claim";

const RULES = ["one", "verified", "real", "least", "cash"] as const;

/** The free passes and vouchers with their terms (docs/product.md#21-pages /free-voucher). */
export function FreePassesScreen({ products, vouchers }: { products: ProductList; vouchers: FreeVouchers }) {
  const t = useTranslations("coupons.free");
  const locale = useLocale();
  return (
    <Page title={t("title")} lead={t("lead")}>
      <VoucherClaims vouchers={vouchers} />
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 pt-8">
        <p className="max-w-text text-quiet">{t("invite_text")}</p>
        <ButtonLink href="/invite">{t("invite")}</ButtonLink>
      </div>
      <h2 className="pt-12 pb-5 text-21 md:text-28">{t("passes")}</h2>
      {products.items.length > 0 ? (
        <ProductTickets items={products.items} exact first />
      ) : (
        <EmptyState
          level="h3"
          title={t("none")}
          action={<ButtonLink href="/top-trending">{t("browse")}</ButtonLink>}
        >
          {t("none_text")}
        </EmptyState>
      )}
      <section aria-labelledby="rules" className="pt-14">
        <h2 id="rules" className="pb-3 text-21">
          {t("rules")}
        </h2>
        <ul className="flex max-w-text list-disc flex-col gap-2 pl-5">
          {RULES.map((rule) => (
            <li key={rule}>{t(`rule.${rule}`, { amount: formatPrice(MINIMUM_CHARGE_CENTS, locale) })}</li>
          ))}
        </ul>
      </section>
      <SubscribeSection />
    </Page>
  );
}

/** The free vouchers in their public state. Each loads the user's own state on the client. */
function VoucherClaims({ vouchers }: { vouchers: FreeVouchers }) {
  const t = useTranslations("coupons.vouchers");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const labels = useVoucherLabels();
  return (
    <section aria-labelledby="vouchers">
      <h2 id="vouchers" className="sr-only">
        {t("title")}
      </h2>
      <ul className="grid gap-4 md:grid-cols-2">
        {vouchers.items.map((voucher) => (
          <li key={voucher.type}>
            <VoucherClaim
              initial={voucher}
              worth={money(voucher.amount)}
              title={t(`${voucher.type}.title`)}
              terms={t(`${voucher.type}.${voucher.min_amount > 0 ? "terms" : "terms_any"}`, {
                minimum: money(voucher.min_amount),
                hours: voucher.valid_hours,
                days: Math.round(voucher.valid_hours / 24),
              })}
              labels={labels}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

export type VoucherLabels = ReturnType<typeof useVoucherLabels>;

function useVoucherLabels() {
  const t = useTranslations("coupons.vouchers");
  const errors = useTranslations("errors");
  return {
    claim: t("claim"),
    login: t("login"),
    use: t("use"),
    claimed: t("claimed"),
    spent: t("spent"),
    held: t("held"),
    order: t("order"),
    elsewhere: t("elsewhere"),
    tomorrow: t("tomorrow"),
    notEligible: t("not_eligible"),
    unavailable: t("unavailable"),
    verify: t("verify"),
    until: t("until", { moment: "{moment}" }),
    done: t("done"),
    network: errors("network"),
  };
}
