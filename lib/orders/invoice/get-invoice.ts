import { addressLines } from "@/lib/accounts/billing/rules";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { OrderProduct, Receipt } from "@/lib/orders/contract";
import { findReceipt } from "@/lib/orders/find-receipt";
import { lineCents } from "@/lib/orders/rules";
import { canonicalTimeZone } from "@/lib/platform/api/time-zone";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice, includedTax, toCents } from "@/lib/platform/money";
import { type PdfBlock, renderPdf } from "@/lib/platform/pdf";
import type { InvoiceQuery } from "./contract";
import { findTaxDocument } from "./find-tax-document";
import { taxDocumentBlocks } from "./tax-document-blocks";

/**
 * The invoice of a paid order as a PDF (`/order/invoice`, docs/product.md#75-orders-and-payment): the one that was issued with its tax, or
 * without taxes one with the order's number, billed to the default address without `address_id`.
 * @throws ShopError order_unknown (also an unpaid order, and a document of another), address_unknown
 */
export async function getInvoice(
  viewer: UserViewer,
  { order_id, document_id, address_id, time_zone }: InvoiceQuery,
  locale: Locale,
): Promise<{ fileName: string; file: Buffer }> {
  const receipt = await findReceipt(viewer, order_id, locale);
  if (!receipt) throw new ShopError("order_unknown");
  if (address_id && !receipt.addresses.some((address) => address.address_id === address_id))
    throw new ShopError("address_unknown");
  const { order, seller } = receipt;
  const issued = await findTaxDocument(order.order_id, document_id);
  if (issued) {
    const blocks = taxDocumentBlocks(issued.content, issued.hash, locale);
    const { number, kind, issued_at } = issued.content;
    const title = shopTranslator(locale)(
      kind === "invoice" ? "orders.invoice.title_of" : "orders.invoice.credit_title_of",
      { number },
    );
    const info = { title, author: issued.content.seller.name, createdAt: new Date(issued_at) };
    const name = kind === "invoice" ? "invoice" : "credit-note";
    return { fileName: `${name}-${number}.pdf`, file: await renderPdf(blocks, info, locale) };
  }
  if (document_id) throw new ShopError("order_unknown");
  const title = shopTranslator(locale)("orders.invoice.title_of", { number: order.order_number });
  const info = { title, author: seller.name, createdAt: new Date(order.paid_at ?? order.created_at) };
  const blocks = invoiceBlocks(receipt, {
    addressId: address_id,
    timeZone: canonicalTimeZone(time_zone) ?? viewer.timeZone ?? "UTC",
    locale,
  });
  const file = await renderPdf(blocks, info, locale);
  return { fileName: `invoice-${order.order_number}.pdf`, file };
}

type InvoiceOptions = { addressId?: string; timeZone: string; locale: Locale };

/** The parts of an invoice, from top to bottom. */
export function invoiceBlocks(receipt: Receipt, { addressId, timeZone, locale }: InvoiceOptions): PdfBlock[] {
  const t = shopTranslator(locale);
  const { order, seller } = receipt;
  const day = (at: string) => formatDate(at, locale, timeZone);
  const passName = (line: OrderProduct) => {
    const { key, values } = passNameKey(line);
    return t(key, values);
  };
  const money = (cents: number) => formatPrice(cents, locale);
  return [
    { kind: "title", text: t("orders.invoice.title") },
    { kind: "columns", columns: [sellerLines(receipt, locale), buyerLines(receipt, addressId, locale)] },
    {
      kind: "rows",
      rows: [
        { term: t("orders.invoice.number"), value: order.order_number },
        { term: t("orders.invoice.date"), value: day(order.paid_at ?? order.created_at) },
      ],
    },
    {
      kind: "table",
      head: [
        t("orders.receipt.pass"),
        t("orders.receipt.units"),
        t("orders.receipt.price"),
        t("orders.receipt.sum"),
      ],
      rows: order.order_products.map((line) => [
        { text: line.product_name, detail: `${line.maker} · ${passName(line)}` },
        { text: String(line.quantity) },
        { text: money(toCents(line.price)) },
        { text: money(lineCents(line)) },
      ]),
    },
    { kind: "rows", rows: invoiceSums(receipt, day, locale) },
    { kind: "note", text: t("orders.receipt.note") },
    { kind: "note", text: t("orders.invoice.id", { id: order.order_id }) },
    { kind: "note", text: `${seller.site} · ${seller.email}` },
  ];
}

function sellerLines({ seller }: Receipt, locale: Locale): string[] {
  const t = shopTranslator(locale);
  return [
    t("orders.receipt.seller"),
    seller.name,
    ...seller.address,
    ...(seller.registration ? [t("orders.invoice.registration", { id: seller.registration })] : []),
    ...(seller.taxId ? [t("orders.receipt.tax_id", { id: seller.taxId })] : []),
  ];
}

function buyerLines({ order, addresses }: Receipt, addressId: string | undefined, locale: Locale): string[] {
  const heading = shopTranslator(locale)("orders.receipt.billed_to");
  const address = addresses.find(({ address_id }) => address_id === addressId) ?? addresses[0];
  if (!address) return [heading, order.send_email];
  const country = new Intl.DisplayNames([HTML_LANG[locale]], { type: "region" }).of(address.country);
  return [heading, address.full_name, ...addressLines(address, country ?? address.country), order.send_email];
}

function invoiceSums({ order, seller }: Receipt, day: (at: string) => string, locale: Locale) {
  const t = shopTranslator(locale);
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const totalCents = toCents(order.final_amount);
  const refunds = order.refunds.filter(({ step }) => step === "done");
  const returnedCents = refunds.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const { tax } = seller;
  const keptCents = Math.max(0, totalCents - returnedCents);
  return [
    { term: t("orders.receipt.subtotal"), value: money(order.subtotal) },
    ...(order.discount_amount > 0
      ? [{ term: t("orders.receipt.discount"), value: `−${money(order.discount_amount)}` }]
      : []),
    ...(order.added_tax === 0
      ? []
      : [
          {
            term: t(order.added_tax < 0 ? "orders.tax.taken_off" : "orders.tax.added_unknown"),
            value: `${order.added_tax < 0 ? "−" : ""}${money(Math.abs(order.added_tax))}`,
          },
        ]),
    { term: t("orders.receipt.total"), value: money(order.final_amount), bold: true },
    ...refunds.map(({ at, amount }) => ({
      term: t("orders.receipt.refunded", { date: day(at) }),
      value: `−${money(amount)}`,
    })),
    ...(returnedCents > 0
      ? [{ term: t("orders.receipt.net"), value: formatPrice(keptCents, locale), bold: true }]
      : []),
    ...(tax
      ? [
          {
            term: t("orders.receipt.tax", { name: tax.name, percent: tax.percent }),
            value: formatPrice(includedTax(keptCents, tax.percent), locale),
          },
        ]
      : []),
  ];
}
