import { useTranslations } from "next-intl";
import type { OrderDetail } from "@/lib/orders/contract";
import { InvoiceDownload } from "./invoice-download";
import { InvoiceLink } from "./invoice-link";

/** The invoices and credit notes of a paid order by number; without taxes its one invoice. */
export function OrderInvoices({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.tax");
  const documents = order.tax?.documents ?? [];
  if (documents.length === 0) return <InvoiceLink orderId={order.order_id} />;
  return documents.map(({ document_id, kind, number }) => (
    <InvoiceDownload key={document_id} orderId={order.order_id} documentId={document_id}>
      {t(kind, { number })}
    </InvoiceDownload>
  ));
}
