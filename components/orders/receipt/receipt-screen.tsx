import { useLocale, useTranslations } from "next-intl";
import "./receipt.css";
import { countryNames } from "@/components/catalog/product/country-names";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { useRefundRows } from "@/components/orders/refunds/refund-rows";
import { useAddedTax, useTaxText } from "@/components/orders/tax/use-tax-text";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { classNames } from "@/components/ui/class-names";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/local-time";
import { Page } from "@/components/ui/page";
import { addressLines } from "@/lib/accounts/billing/rules";
import type { OrderProduct, Receipt } from "@/lib/orders/contract";
import { lineCents } from "@/lib/orders/rules";
import { isRedirectMethod, WALLET_NAMES } from "@/lib/payments/rules";
import { formatPrice, includedTax, toCents } from "@/lib/platform/money";
import { InvoiceLink } from "./invoice-link";
import { OrderInvoices } from "./order-invoices";
import { PrintReceipt } from "./print-receipt";

type ReceiptProps = { receipt: Receipt; addressId: string | undefined };

export function ReceiptScreen({ receipt, addressId }: ReceiptProps) {
  const t = useTranslations("orders.receipt");
  const { order, seller } = receipt;
  return (
    <Page
      narrow
      className="receipt"
      above={
        <Breadcrumb
          label={t("breadcrumb")}
          items={[
            { text: t("order"), href: `/order-history?order_id=${order.order_id}` },
            { text: t("title") },
          ]}
        />
      }
      title={t("title")}
      aside={
        <div className="flex flex-wrap gap-3 print:hidden">
          {order.tax?.documents.length ? (
            <OrderInvoices order={order} />
          ) : (
            <InvoiceLink
              orderId={order.order_id}
              addressId={billingAddress(receipt, addressId)?.address_id}
            />
          )}
          <PrintReceipt label={t("print")} />
        </div>
      }
    >
      <div className="flex flex-col gap-8">
        <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
          <address className="not-italic">
            <p className="text-13 text-quiet">{t("seller")}</p>
            <p className="font-semibold">{seller.name}</p>
            {seller.address.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {seller.registration && <p>{seller.registration}</p>}
            {seller.taxId && <p>{t("tax_id", { id: seller.taxId })}</p>}
            <p className="break-all">{seller.email}</p>
            <p>{seller.site}</p>
          </address>
          <BilledTo receipt={receipt} addressId={addressId} />
        </div>
        <DefinitionRows rows={useFacts(receipt)} />
        <Lines lines={order.order_products} />
        <DefinitionRows rows={useSums(receipt)} />
        <p className="text-13 text-quiet">{t("note")}</p>
      </div>
    </Page>
  );
}

function useFacts({ order, method }: Receipt) {
  const t = useTranslations("orders.receipt");
  const redirect = useTranslations("payments.method.redirect");
  const wallet =
    method === null ? undefined : isRedirectMethod(method) ? redirect(method) : WALLET_NAMES[method];
  const paidWith =
    order.final_amount === 0 ? t("free") : (wallet ?? t(method === "card" ? "method.card" : "method.other"));
  const mono = (text: string) => <span className="font-mono text-13 break-all">{text}</span>;
  return [
    { term: t("number"), value: order.order_number },
    { term: t("id"), value: mono(order.order_id) },
    { term: t("ordered"), value: <LocalTime at={order.created_at} format="date" /> },
    { term: t("paid"), value: <LocalTime at={order.paid_at ?? order.created_at} format="date" /> },
    { term: t("paid_with"), value: paidWith },
    order.transaction_id !== null && { term: t("transaction"), value: mono(order.transaction_id) },
  ];
}

function Lines({ lines }: { lines: readonly OrderProduct[] }) {
  const t = useTranslations("orders.receipt");
  const pass = usePassLabels();
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  return (
    <table className="w-full text-left">
      <thead className="text-13 text-quiet">
        <tr className="border-b border-hairline">
          <th className="py-2 pr-4 font-normal">{t("pass")}</th>
          <th className="py-2 pr-4 text-right font-normal">{t("units")}</th>
          <th className="py-2 pr-4 text-right font-normal max-sm:hidden print:table-cell">{t("price")}</th>
          <th className="py-2 text-right font-normal">{t("sum")}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.order_product_id} className="border-b border-hairline align-top">
            <td className="py-2.5 pr-4">
              <span lang={line.language === locale ? undefined : line.language}>{line.product_name}</span>
              <span className="block text-13 text-quiet">
                {line.maker} · {pass.name(line)}
              </span>
            </td>
            <td className="figures py-2.5 pr-4 text-right">{line.quantity}</td>
            <td className="figures py-2.5 pr-4 text-right max-sm:hidden print:table-cell">
              {money(line.price)}
            </td>
            <td className="figures py-2.5 text-right">{formatPrice(lineCents(line), locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useSums({ order, seller: { tax } }: Receipt) {
  const t = useTranslations("orders.receipt");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const refunds = useRefundRows(order);
  const ownTax = useTaxText(order);
  const added = useAddedTax(order);
  const taxTerm = useTranslations("orders.tax")("term");
  return [
    { term: t("subtotal"), value: money(order.subtotal) },
    order.discount_amount > 0 && { term: t("discount"), value: `−${money(order.discount_amount)}` },
    added !== null && added,
    { term: t("total"), value: money(order.final_amount), strong: true },
    ownTax !== null && { term: taxTerm, value: ownTax },
    ...refunds.rows,
    tax !== null && {
      term: t("tax", { name: tax.name, percent: tax.percent }),
      value: formatPrice(
        includedTax(Math.max(0, toCents(order.final_amount) - refunds.returnedCents), tax.percent),
        locale,
      ),
    },
  ];
}

const billingAddress = ({ addresses }: Pick<Receipt, "addresses">, addressId: string | undefined) =>
  addresses.find((address) => address.address_id === addressId) ?? addresses[0];

/** The billing address, selected from the stored addresses by a link that is not printed. */
function BilledTo({ receipt: { order, addresses }, addressId }: ReceiptProps) {
  const t = useTranslations("orders.receipt");
  const locale = useLocale();
  const chosen = billingAddress({ addresses }, addressId);
  return (
    <div>
      <p className="text-13 text-quiet">{t("billed_to")}</p>
      {chosen && (
        <address className="not-italic">
          <p className="font-semibold">{chosen.full_name}</p>
          {addressLines(chosen, countryNames([chosen.country], locale)).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </address>
      )}
      <p className="break-all">{order.send_email}</p>
      <div className="flex flex-col items-start pt-2 text-13 print:hidden">
        {addresses.length > 1 &&
          addresses.map((address) => (
            <Link
              key={address.address_id}
              href={`/receipt?order_id=${order.order_id}&address_id=${address.address_id}`}
              replace
              aria-current={address === chosen ? "true" : undefined}
              className={classNames("hit py-1.5 underline", address === chosen && "font-semibold")}
            >
              {t("use_address", { name: address.full_name, line: address.line1 })}
            </Link>
          ))}
        <Link href="/payment-billing" className="hit py-1.5 underline">
          {t(addresses.length > 0 ? "edit_addresses" : "add_address")}
        </Link>
      </div>
    </div>
  );
}
