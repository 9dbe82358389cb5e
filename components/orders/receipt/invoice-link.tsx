import { useTranslations } from "next-intl";
import { InvoiceDownload } from "./invoice-download";

/** Downloads the invoice of a paid order, billed to this address, else to the default one. */
export function InvoiceLink({ orderId, addressId }: { orderId: string; addressId?: string }) {
  return (
    <InvoiceDownload orderId={orderId} addressId={addressId}>
      {useTranslations("orders.receipt")("invoice")}
    </InvoiceDownload>
  );
}
