"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import { ShortDate } from "@/components/console/time";
import { FileButton } from "@/components/merchants/portal/file-button";
import { PayoutSettings } from "@/components/payouts/money/payout-settings";
import { Statements } from "@/components/payouts/money/statements";
import { PayoutHead } from "@/components/payouts/payout-head";
import { useSurface } from "@/components/ui/surface";
import type { PayoutAccounts } from "@/lib/payouts/accounts/contract";
import type { MerchantMoney, MoneyEntry } from "@/lib/payouts/money/contract";
import type { StatementList } from "@/lib/payouts/statements/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

type Props = ListData<MoneyEntry> & {
  /** of the merchant's console */
  home: string;
  handle: string;
  money: MerchantMoney;
  accounts: PayoutAccounts;
  statements: StatementList;
  /** the viewer may change account and terms */
  canChange: boolean;
};

const usd = (amount: number, locale: Locale) => formatPrice(toSignedCents(amount), locale);
const column = columnsOf<MoneyEntry>();

/** What the shop owes a merchant, what of it is held and why, and the entries that add up to it. */
export function MoneyScreen({ home, handle, money, accounts, statements, canChange, ...data }: Props) {
  const t = useTranslations("console.merchant_money");
  const chosen = data.values.payout_id && data.list.items.find(({ payout }) => payout !== null)?.payout;
  return (
    <ListScreen
      {...data}
      title={t("title")}
      lead={t("lead")}
      empty={t("empty")}
      texts={{ main: "payout_id" }}
      rowId={({ entry_id }) => entry_id}
      rowName={({ product_name, kind }) => product_name ?? t(`kind.${kind}`)}
      columns={[
        column.link(
          "entry",
          t("entry"),
          ({ kind, vip_id, product_name, vip_type, units }) => ({
            text: product_name
              ? `${t(`kind.${kind}`)} · ${product_name} · ${vip_type}${(units ?? 1) > 1 ? ` × ${units}` : ""}`
              : t(`kind.${kind}`),
            href: vip_id === null ? null : `${home}/sales?vip_id=${vip_id}`,
          }),
          { main: true },
        ),
        column.link(
          "payout",
          t("payout"),
          ({ payout }) =>
            payout && { text: payout.payout_id, href: `${home}/money?payout_id=${payout.payout_id}` },
          { card: "sub" },
        ),
        column.time("at", t("at"), ({ at }) => at),
        column.money("amount", t("amount"), ({ amount }) => amount),
      ]}
      exportButton={
        <FileButton
          handle={handle}
          call="/merchant/money/entries.csv"
          file="money.csv"
          values={data.values}
        />
      }
      summary={
        chosen ? (
          <p className="pt-3 pb-5">
            <PayoutHead payout={chosen} />
          </p>
        ) : (
          <>
            <Balance money={money} />
            <PayoutSettings next={money.next_payout} accounts={accounts} canChange={canChange} />
            <Statements handle={handle} statements={statements} canMake={canChange} />
          </>
        )
      }
    />
  );
}

function Balance({ money }: { money: MerchantMoney }) {
  const t = useTranslations("console.merchant_money");
  const { locale } = useSurface();
  const held = money.held.reduce((sum, { amount }) => sum + toSignedCents(amount), 0);
  const figures = [
    ["available", usd(money.available, locale)],
    ["held", formatPrice(held, locale)],
    ["in_transit", usd(money.in_transit, locale)],
    ["balance", usd(money.balance, locale)],
  ] as const;
  return (
    <section aria-label={t("balance")} className="pt-3 pb-6">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-13 text-quiet">{t(name)}</dt>
            <dd className="figures text-21 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <h2 className="pt-5 text-17 font-semibold">{t("holds")}</h2>
      {money.held.length === 0 ? (
        <p className="pt-1 text-quiet">{t("nothing_held")}</p>
      ) : (
        <ul className="divide-y divide-hairline">
          {money.held.map(({ reason, amount, sales, next_at }) => (
            <li key={reason} className="flex flex-wrap justify-between gap-x-6 py-2">
              <span>
                <span className="font-medium">{t(`reason.${reason}`)}</span>
                <span className="block text-13 text-quiet">{t(`explained.${reason}`)}</span>
              </span>
              <span className="figures ml-auto text-end">
                {usd(amount, locale)}
                <span className="block text-13 text-quiet">
                  {t("sales", { count: sales })}
                  {next_at && <> · {t.rich("next", { date: () => <ShortDate key="date" at={next_at} /> })}</>}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
