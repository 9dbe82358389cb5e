"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { ShortDate, ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import { LEDGER_ACCOUNTS } from "@/lib/payments/rules";
import type { LedgerList } from "@/lib/payouts/console/contract";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

/** The newest entries of the ledger with the balances of its accounts, and what it is off by: always nothing. */
export function LedgerScreen({ list }: { list: LedgerList }) {
  const t = useTranslations("console.ledger");
  const accountName = useTranslations("console.order.accounts");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  const nameOf = (account: string) =>
    accountName(LEDGER_ACCOUNTS.find((one) => one === account) ?? "other_cash");
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      <section aria-label={t("balances")} className="pb-6">
        <Facts
          rows={[
            [
              t("imbalance"),
              <Pill key="imbalance" tone={list.imbalance === 0 ? "good" : "bad"}>
                {usd(list.imbalance)}
              </Pill>,
            ],
            ...list.accounts.map(({ account, balance }) => [nameOf(account), usd(balance)] as const),
          ]}
        />
      </section>
      <RecordTable
        label={t("title")}
        rows={list.items}
        rowId={({ entry_id }) => entry_id}
        empty={t("empty")}
        columns={[
          { name: t("at"), cell: ({ at }) => <ShortTime at={at} /> },
          {
            name: t("transfer"),
            cell: ({ transfer_id, order_id, merchant_name }) => (
              <>
                {order_id ? (
                  <ConsoleLink href={`/console/orders/${order_id}`} className="text-link wrap-anywhere">
                    {transfer_id}
                  </ConsoleLink>
                ) : (
                  <span className="wrap-anywhere">{transfer_id}</span>
                )}
                {merchant_name && <span className="block text-13 text-quiet">{merchant_name}</span>}
              </>
            ),
          },
          { name: t("account"), cell: ({ account }) => nameOf(account) },
          { name: t("debit"), end: true, cell: ({ debit }) => (debit === null ? "" : usd(debit)) },
          { name: t("credit"), end: true, cell: ({ credit }) => (credit === null ? "" : usd(credit)) },
        ]}
      />
      <div className="pt-7">
        <RecordSection title={t("statements")}>
          <RecordTable
            label={t("statements")}
            rows={list.statements}
            rowId={({ statement_id }) => statement_id}
            empty={t("no_statements")}
            columns={[
              {
                name: t("merchant"),
                cell: ({ merchant_id, merchant_name }) => (
                  <ConsoleLink href={`/console/merchants/${merchant_id}`} className="text-link">
                    {merchant_name}
                  </ConsoleLink>
                ),
              },
              { name: t("number"), cell: ({ number }) => number },
              { name: t("until"), cell: ({ to }) => <ShortDate at={to} /> },
              { name: t("entries"), end: true, cell: ({ lines }) => lines },
              { name: t("opening"), end: true, cell: ({ opening }) => usd(opening) },
              { name: t("closing"), end: true, cell: ({ closing }) => usd(closing) },
            ]}
          />
        </RecordSection>
      </div>
    </>
  );
}
