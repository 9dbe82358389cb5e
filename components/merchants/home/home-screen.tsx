import type { ReactNode } from "react";
import { BarChart } from "@/components/console/chart-bars";
import { FigureRow } from "@/components/console/figure-row";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { StateNotice } from "@/components/merchants/portal/state-notice";
import { CHART_DAYS, type Compared, compareEarnings, type Earnings } from "@/lib/merchants/home/rules";
import type { MerchantReview } from "@/lib/merchants/replies/contract";
import type { MerchantRequest } from "@/lib/merchants/requests/contract";
import type { FirstStep, MerchantRole, MerchantState } from "@/lib/merchants/rules";
import type { MerchantMoney } from "@/lib/payouts/money/contract";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents, toSignedCents } from "@/lib/platform/money";
import { AnswerBy } from "./answer-by";
import { FirstSteps } from "./first-steps";
import { type LowPlan, Restock } from "./restock";
import { ReviewsToRead } from "./reviews-to-read";

type Props = {
  locale: Locale;
  handle: string;
  name: string;
  role: MerchantRole;
  /** the viewer may add codes, and reply to reviews */
  mayAdd: boolean;
  mayReply: boolean;
  home: {
    state: MerchantState;
    stateNote: string | null;
    steps: { step: FirstStep; done: boolean }[];
    earnings: Earnings;
    money: Pick<MerchantMoney, "balance" | "next_payout">;
    requests: { nearest: MerchantRequest[]; count: number };
    low: LowPlan[] | null;
    reviews: MerchantReview[];
  };
};

/** The first page of a merchant's console: its state, the first steps until all are done, its figures, and what waits. */
export async function MerchantHomeScreen({ locale, handle, name, role, mayAdd, mayReply, home }: Props) {
  const { state, stateNote, steps, requests, low, reviews } = home;
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const stateName = await consoleTranslations({ locale, namespace: "console.merchant.state" });
  const path = `/merchant/${handle}`;
  return (
    <>
      <ConsoleHeader title={name} dense>
        <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
      </ConsoleHeader>
      <div className="pt-3">
        <StateNotice state={state} note={stateNote} />
        <FirstSteps handle={handle} role={role} steps={steps} isOpen={low === null} />
        <Figures locale={locale} path={path} home={home} />
        {low !== null && (
          <div className="grid gap-x-8 gap-y-6 min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Part title={t("answer")} more={requests.count > 0 && [t("all_requests"), `${path}/requests`]}>
              <AnswerBy requests={requests.nearest} />
            </Part>
            <Part title={t("restock")} more={[t("all_codes"), `${path}/keys`]}>
              <Restock handle={handle} plans={low} mayAdd={mayAdd} />
            </Part>
            <Part title={t("chart")} more={[t("all_insight"), `${path}/insight`]}>
              <EarningsChart locale={locale} earnings={home.earnings} />
            </Part>
            <Part title={t("reviews")} more={[t("all_reviews"), `${path}/reviews`]}>
              <ReviewsToRead reviews={reviews} mayReply={mayReply} />
            </Part>
          </div>
        )}
      </div>
    </>
  );
}

function Part({
  title,
  more,
  children,
}: {
  title: string;
  more: readonly [string, string] | false;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <header className="flex items-baseline justify-between gap-4 pb-2">
        <h2 className="text-17 font-semibold">{title}</h2>
        {more && (
          <ConsoleLink href={more[1]} className="text-link text-13 whitespace-nowrap">
            {more[0]}
          </ConsoleLink>
        )}
      </header>
      {children}
    </section>
  );
}

async function Figures({ locale, path, home }: { locale: Locale; path: string; home: Props["home"] }) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const { today, week, refundShare } = compareEarnings(home.earnings);
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
  const days = home.earnings.days;
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
          days: days.slice(-14).map(({ earned }) => earned),
        },
        {
          name: t("balance"),
          value: usd(toSignedCents(home.money.balance)),
          change: null,
          children: (
            <p className="text-13">
              <ConsoleLink href={`${path}/money`} className="text-link">
                <NextPayout locale={locale} next={home.money.next_payout} />
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

async function EarningsChart({ locale, earnings }: { locale: Locale; earnings: Earnings }) {
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
      labels={{ table: t("as_table"), label: t("day"), value: t("your_share"), none: "–" }}
    />
  );
}
