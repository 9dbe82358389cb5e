import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import type { Seller } from "@/lib/platform/seller";

/**
 * Who sells and under which terms, as Japan's Act on Specified Commercial Transactions asks of distance sellers; in the
 * other languages the same facts as seller information. `addsTax`: prices are without tax. `refundDays`: the days in which a
 * refundable pass may be returned.
 */
export function SellerScreen({
  seller,
  addsTax,
  refundDays,
  jsonLd,
}: {
  seller: Seller;
  addsTax: boolean;
  refundDays: number;
  jsonLd: unknown;
}) {
  const t = useTranslations("ui.seller");
  const home = useTranslations("ui.legal");
  const link = (href: string) => (chunks: ReactNode) => (
    <Link href={href} className="underline">
      {chunks}
    </Link>
  );
  const { tax, phone } = seller;
  const rows: { term: string; value: ReactNode }[] = [
    { term: t("name"), value: seller.name },
    ...(seller.representative ? [{ term: t("representative"), value: seller.representative }] : []),
    {
      term: t("address"),
      value: seller.address.length > 0 ? <Lines lines={seller.address} /> : t("on_request"),
    },
    { term: t("phone"), value: phone ?? t("on_request") },
    {
      term: t("email"),
      value: (
        <a href={`mailto:${seller.email}`} className="break-all underline">
          {seller.email}
        </a>
      ),
    },
    ...(seller.registration ? [{ term: t("registration"), value: seller.registration }] : []),
    ...(seller.taxId ? [{ term: t("tax_id"), value: seller.taxId }] : []),
    {
      term: t("price"),
      value: tax
        ? t("price_tax", { name: tax.name, percent: tax.percent })
        : t(addsTax ? "price_added" : "price_text"),
    },
    { term: t("fees"), value: t("fees_text") },
    { term: t("payment"), value: t("payment_text") },
    { term: t("payment_time"), value: t("payment_time_text") },
    { term: t("delivery"), value: t("delivery_text") },
    {
      term: t("returns"),
      value: t.rich("returns_text", {
        days: refundDays,
        policy: link("/refund-policy"),
        cancel: link("/withdraw"),
      }),
    },
    { term: t("system"), value: t("system_text") },
  ];
  return (
    <Page
      jsonLd={jsonLd}
      narrow
      above={
        <Breadcrumb label={home("path")} items={[{ text: home("home"), href: "/" }, { text: t("title") }]} />
      }
      title={t("title")}
      lead={t("lead")}
    >
      <dl className="divide-y divide-hairline border-y border-hairline">
        {rows.map(({ term, value }) => (
          <div key={term} className="grid gap-x-8 gap-y-1 py-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="text-quiet">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
