"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf, NOTHING } from "@/components/console/list/columns";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { ShortDate, ShortTime } from "@/components/console/time";
import { PayoutHead } from "@/components/payouts/payout-head";
import { StaffList } from "@/components/staff/staff-list";
import { useSurface } from "@/components/ui/surface";
import type { LedgerAccount } from "@/lib/payments/rules";
import type { LedgerList, LedgerRow } from "@/lib/payouts/console/contract";
import { formatPrice, toSignedCents } from "@/lib/platform/money";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<LedgerRow>();

/** The ledger by transfer, or what one payout paid, with the balances of its accounts, and what it is off by: always nothing. */
export function LedgerScreen(data: StaffListData<LedgerList>) {
  const { list, values } = data;
  const t = useTranslations("console.ledger");
  const accountName = useTranslations("console.order.accounts");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  /** A phone's card, which has no headers, names the side. */
  const side = (name: "debit" | "credit", card: "end" | "mark") =>
    column.cell(
      name,
      t(name),
      ({ [name]: amount }) =>
        amount === null ? (
          <span className="max-[899px]:hidden">{NOTHING}</span>
        ) : (
          <>
            <span className="pr-1 text-quiet min-[900px]:hidden">{t(name)}</span>
            {usd(amount)}
          </>
        ),
      { width: 96, end: true, card },
    );
  const chosen = values.payout_id ? list.items.find(({ payout }) => payout !== null)?.payout : undefined;
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ entry_id }) => entry_id,
        rowName: ({ transfer_id, account }) => `${transfer_id} · ${accountName(account)}`,
        texts: { main: "payout_id", values: { account: (value) => accountName(value as LedgerAccount) } },
        group: (row) => ({ id: row.transfer_id, head: <TransferHead row={row} /> }),
        columns: [
          column.text("account", t("account"), ({ account }) => accountName(account), { main: true }),
          column.text("merchant", t("merchant"), ({ merchant_name }) => merchant_name, { card: "sub" }),
          column.link(
            "payout",
            t("paid_by"),
            ({ payout }) =>
              payout && { text: payout.payout_id, href: `/console/ledger?payout_id=${payout.payout_id}` },
          ),
          side("debit", "end"),
          side("credit", "mark"),
        ],
        summary: (
          <section aria-label={t("balances")} className="pt-2 pb-6">
            {chosen ? (
              <p className="flex flex-wrap items-baseline gap-x-4">
                <PayoutHead payout={chosen} />
                {chosen.run_id && (
                  <ConsoleLink href={`/console/payouts/${chosen.run_id}`} className="text-link">
                    {t("run")}
                  </ConsoleLink>
                )}
              </p>
            ) : (
              <Facts
                rows={[
                  [
                    t("imbalance"),
                    <Pill key="imbalance" tone={list.imbalance === 0 ? "good" : "bad"}>
                      {usd(list.imbalance)}
                    </Pill>,
                  ],
                  ...list.accounts.map(
                    ({ account, balance }) => [accountName(account as LedgerAccount), usd(balance)] as const,
                  ),
                ]}
              />
            )}
          </section>
        ),
        totals: !chosen && (
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
        ),
      }}
    />
  );
}

/** What a transfer is about: its sum, time and order. */
function TransferHead({ row: { transfer_id, amount, at, order_id } }: { row: LedgerRow }) {
  const { locale } = useSurface();
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      {order_id ? (
        <ConsoleLink href={`/console/orders/${order_id}`} className="text-link wrap-anywhere">
          {transfer_id}
        </ConsoleLink>
      ) : (
        <span className="wrap-anywhere">{transfer_id}</span>
      )}
      <span className="figures font-medium">{formatPrice(toSignedCents(amount), locale)}</span>
      <span className="text-quiet">
        <ShortTime at={at} />
      </span>
    </span>
  );
}
