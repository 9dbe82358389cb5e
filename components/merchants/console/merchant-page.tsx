"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { RecordBar } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleMerchantDetail } from "@/lib/merchants/console/contract-merchants";
import type { ConsoleTradeFile } from "@/lib/merchants/console/contract-trade-files";
import { LANGUAGE_NAMES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import { MerchantActions } from "./merchant-actions";
import { MerchantName } from "./merchant-name";
import type { MerchantTab } from "./merchant-tab";
import { MerchantTabs } from "./merchant-tabs";
import { TradeFileTab } from "./trade-file-tab";

type Props = {
  merchant: ConsoleMerchantDetail;
  tab: MerchantTab;
  mayDecide: boolean;
  mayDecideNames: boolean;
  /** the trader file on its tab; null on other tabs, and without the permission */
  tradeFile: ConsoleTradeFile | null;
  mayReadFile: boolean;
  mayCheckFile: boolean;
  mayOpenDocuments: boolean;
};

/** One merchant for staff, with their actions. */
export function MerchantRecord(props: Props) {
  const { merchant, tab, mayDecide, mayDecideNames, tradeFile, mayReadFile } = props;
  const t = useTranslations("console.merchants");
  const stateName = useTranslations("console.merchant.state");
  const { locale } = useSurface();
  const { merchant_id, name, handle, state, trust, state_note } = merchant;
  return (
    <>
      <RecordBar
        title={name}
        states={
          <>
            <span className="text-13 text-quiet">{handle}</span>
            <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
            {merchant.keys_stopped_at && <Pill tone="bad">{t("keys_stopped")}</Pill>}
            {merchant.discounts?.high_since && (
              <Pill tone={merchant.discounts.looked_at ? "plain" : "warn"}>{t("high_discounts")}</Pill>
            )}
            {trust === "trusted" && <Pill tone="good">{t("trusted")}</Pill>}
          </>
        }
        sum={t("net_of_30", {
          amount: formatPrice(toCents(merchant.sales.net), locale) + (merchant.sales.exact ? "" : "+"),
        })}
      >
        {mayDecide && state !== "ended" && <MerchantActions merchant={merchant} />}
      </RecordBar>
      {state_note && (
        <Notice kind="warn" title={t("told")} className="mb-5">
          <p className="wrap-anywhere">{state_note}</p>
        </Notice>
      )}
      {merchant.proposed_name && (
        <MerchantName id={merchant_id} request={merchant.proposed_name} mayDecide={mayDecideNames} />
      )}
      <div className="pb-6">
        <MerchantTabs id={merchant_id} current={tab} hasFile={mayReadFile} />
      </div>
      {tab === "overview" && <Overview merchant={merchant} />}
      {tab === "team" && <Team merchant={merchant} />}
      {tab === "products" && <Products merchant={merchant} />}
      {tab === "trade" && tradeFile && (
        <TradeFileTab
          key={tradeFile.version}
          file={tradeFile}
          mayCheck={props.mayCheckFile}
          mayOpen={props.mayOpenDocuments}
        />
      )}
      {tab === "history" && <History merchant={merchant} />}
    </>
  );
}

type PartProps = { merchant: ConsoleMerchantDetail };

function Overview({ merchant }: PartProps) {
  const t = useTranslations("console.merchants");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const { sales, replaced, discounts } = merchant;
  const more = (text: string) => (sales.exact ? text : `${text}+`);
  const percent = (part: number, whole: number) =>
    whole === 0
      ? "–"
      : new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(part / whole);
  return (
    <>
      <RecordSection title={t("sales_30")}>
        <Facts
          rows={[
            [t("lines"), more(String(sales.lines))],
            [t("units"), more(String(sales.units))],
            [t("gross"), more(usd(sales.gross))],
            [t("net"), more(usd(sales.net))],
            [t("refund_share"), percent(sales.refunded, sales.gross)],
            [t("replaced_share"), percent(replaced, sales.units)],
            discounts !== null && [t("shop_paid"), usd(discounts.shop_paid)],
            discounts !== null && [t("shop_paid_share"), percent(discounts.shop_paid, discounts.gross)],
            discounts?.high_since != null &&
              discounts.looked_at !== null && [
                t("looked_at"),
                <ShortTime key="l" at={discounts.looked_at} />,
              ],
          ]}
        />
      </RecordSection>
      <RecordSection title={t("facts")}>
        <Facts
          rows={[
            [t("created"), <ShortTime key="c" at={merchant.created_at} />],
            [t("state_since"), <ShortTime key="s" at={merchant.state_at} />],
            [t("products"), String(merchant.products_total)],
            [t("support_email"), merchant.support_email ?? "–"],
            [t("website"), merchant.website ?? "–"],
            [t("country"), merchant.country ?? "–"],
            [t("language"), LANGUAGE_NAMES[merchant.locale as Locale]],
            merchant.closed_until !== null && [
              t("closed_until"),
              <ShortTime key="u" at={merchant.closed_until} />,
            ],
            merchant.application_id !== null && [
              t("application"),
              <ConsoleLink
                key="a"
                href={`/console/applications/${merchant.application_id}`}
                className="text-link"
              >
                {t("application_open")}
              </ConsoleLink>,
            ],
          ]}
        />
      </RecordSection>
    </>
  );
}

function Team({ merchant: { members, invites, tokens } }: PartProps) {
  const t = useTranslations("console.merchants");
  const roleName = useTranslations("console.merchant.role");
  return (
    <>
      <RecordSection title={t("tab.team")}>
        <RecordTable
          label={t("tab.team")}
          rows={members}
          rowId={({ member_id }) => member_id}
          empty={t("no_members")}
          columns={[
            {
              name: t("person"),
              cell: ({ user_id, email }) => (
                <ConsoleLink href={`/console/customers/${user_id}`} className="text-link wrap-anywhere">
                  {email}
                </ConsoleLink>
              ),
            },
            { name: t("role"), cell: ({ role }) => roleName(role) },
            {
              name: t("factor"),
              cell: ({ enrolled }) => (
                <Pill tone={enrolled ? "good" : "plain"}>
                  {t(enrolled ? "factor_set" : "factor_missing")}
                </Pill>
              ),
            },
            { name: t("since"), cell: ({ since }) => <ShortTime at={since} /> },
          ]}
        />
      </RecordSection>
      <RecordSection title={t("invites")}>
        <RecordTable
          label={t("invites")}
          rows={invites}
          rowId={({ invite_id }) => invite_id}
          empty={t("no_invites")}
          columns={[
            { name: t("person"), cell: ({ email }) => email },
            { name: t("role"), cell: ({ role }) => roleName(role) },
            {
              name: t("until"),
              cell: ({ expires_at, expired }) =>
                expired ? <Pill tone="bad">{t("expired")}</Pill> : <ShortTime at={expires_at} />,
            },
          ]}
        />
      </RecordSection>
      <RecordSection title={t("tokens")}>
        <RecordTable
          label={t("tokens")}
          rows={tokens}
          rowId={({ token_id }) => token_id}
          empty={t("no_tokens")}
          columns={[
            { name: t("name"), cell: ({ name }) => name },
            { name: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
            {
              name: t("last_used"),
              cell: ({ last_used_at }) => (last_used_at ? <ShortTime at={last_used_at} /> : "–"),
            },
            {
              name: t("state"),
              cell: ({ revoked }) => (
                <Pill tone={revoked ? "bad" : "good"}>{t(revoked ? "revoked" : "valid")}</Pill>
              ),
            },
          ]}
        />
      </RecordSection>
    </>
  );
}

function Products({ merchant: { products, products_total } }: PartProps) {
  const t = useTranslations("console.merchants");
  return (
    <RecordSection title={t("products_count", { count: products_total })}>
      <RecordTable
        label={t("products")}
        rows={products}
        rowId={({ slug }) => slug}
        empty={t("no_products")}
        columns={[
          {
            name: t("name"),
            cell: ({ product_id, name }) => (
              <ConsoleLink href={`/console/products/${product_id}`} className="text-link">
                {name}
              </ConsoleLink>
            ),
          },
          {
            name: t("state"),
            cell: ({ on_sale }) => (
              <Pill tone={on_sale ? "good" : "plain"}>{t(on_sale ? "on_sale" : "off_sale")}</Pill>
            ),
          },
        ]}
      />
    </RecordSection>
  );
}

function History({ merchant: { history } }: PartProps) {
  const t = useTranslations("console.merchants");
  return (
    <RecordSection title={t("tab.history")}>
      <RecordTable
        label={t("tab.history")}
        rows={history}
        rowId={({ entry_id }) => String(entry_id)}
        empty={t("no_history")}
        columns={[
          { name: t("at"), cell: ({ at }) => <ShortTime at={at} /> },
          { name: t("actor"), cell: ({ actor }) => actor },
          {
            name: t("action"),
            cell: ({ action, note }) => (
              <>
                <code className="font-mono text-13">{action}</code>
                {note && <span className="block text-quiet">{note}</span>}
              </>
            ),
          },
        ]}
      />
    </RecordSection>
  );
}
