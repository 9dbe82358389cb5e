import { useLocale, useTranslations } from "next-intl";

/** Downloads the invoice of a paid order, billed to this address, else to the default one. */
export function InvoiceLink({ orderId, addressId }: { orderId: string; addressId?: string }) {
  const t = useTranslations("orders.receipt");
  const query = new URLSearchParams({ order_id: orderId, target_lang: useLocale() });
  if (addressId) query.set("address_id", addressId);
  return (
    <a className="button button-secondary print:hidden" href={`/api/v1/order/invoice?${query}`} download>
      {t("invoice")}
    </a>
  );
}
