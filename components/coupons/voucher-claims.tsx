import { useLocale, useTranslations } from "next-intl";
import type { FreeVouchers } from "@/lib/coupons/contract";
import { formatPrice, toCents } from "@/lib/platform/money";
import { VoucherClaim } from "./voucher-claim";

/** The free vouchers in their public state. Each loads the user's own state on the client. */
export function VoucherClaims({ vouchers }: { vouchers: FreeVouchers }) {
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
              terms={t(`${voucher.type}.terms`, {
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
