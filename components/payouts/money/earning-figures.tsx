import { BarChart } from "@/components/console/chart-bars";
import { FigureRow } from "@/components/console/figure-row";
import { ConsoleLink } from "@/components/console/link";
import type { MerchantMoney } from "@/lib/payouts/money/contract";
import {
  CHART_DAYS,
  type Compared,
  compareEarnings,
  type Earnings,
} from "@/lib/payouts/money/rules-earnings";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents, toSignedCents } from "@/lib/platform/money";

type Props = {
  locale: Locale;
  /** of the merchant's account */
  path: string;
  earnings: Earnings;
  money: Pick<MerchantMoney, "balance" | "next_payout">;
};

/** What a merchant earned and is owed, each figure against the time before. */
export async function EarningFigures({ locale, path, earnings, money }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const { today, week, refundShare } = compareEarnings(earnings);
  const usd = (cents: number) => formatPrice(cents, locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const change = new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 0,
    signDisplay: "exceptZero",
  });
  const against = ({ value, before }: Compared) =>
    before > 0
      ? t("against_week", { change: change.format(value / before - 1), amount: usd(before) })
      : t("none_before");
  return (
    <FigureRow
      label={t("figures")}
      figures={[
        {
          name: t("today"),
          value: usd(today.value),
          change: t("yesterday", { amount: usd(today.before) }),
        },
        {
          name: t("week"),
          value: usd(week.value),
          change: against(week),
          days: earnings.days.slice(-14).map(({ earned }) => earned),
        },
        {
          name: t("balance"),
          value: usd(toSignedCents(money.balance)),
          change: null,
          children: (
            <p className="text-13">
              <ConsoleLink href={path} className="text-link">
                <NextPayout locale={locale} next={money.next_payout} />
              </ConsoleLink>
            </p>
          ),
        },
        {
          name: t("refund_share"),
          value: refundShare.value === null ? "–" : percent.format(refundShare.value),
          change:
            refundShare.before === null
              ? t("none_before")
              : t("share_before", { share: percent.format(refundShare.before) }),
        },
      ]}
    />
  );
}

async function NextPayout({ locale, next }: { locale: Locale; next: MerchantMoney["next_payout"] }) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const { on, amount, threshold, obstacle } = next;
  if (obstacle) return t(`obstacle.${obstacle}`);
  if (!on || amount <= 0) return t("below", { amount: formatPrice(toCents(threshold), locale) });
  const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  return t("next_payout", {
    date: day.format(new Date(`${on}T00:00:00Z`)),
    amount: formatPrice(toCents(amount), locale),
  });
}

/** A merchant's share of the sales of 28 days. */
export async function EarningsChart({ locale, earnings }: Pick<Props, "locale" | "earnings">) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const days = earnings.days.slice(-CHART_DAYS);
  const total = days.reduce((sum, { earned }) => sum + earned, 0);
  if (total === 0) return <p className="text-quiet">{t("no_sales")}</p>;
  return (
    <BarChart
      title={t("your_share")}
      total={formatPrice(total, locale)}
      points={days.map((row) => ({ label: day.format(new Date(`${row.day}T00:00:00Z`)), value: row.earned }))}
      format={(cents) => formatPrice(cents, locale)}
      whole
      labels={{ table: t("as_table"), label: t("day"), value: t("your_share"), none: "–" }}
    />
  );
}
