"use client";

import type { ReactNode } from "react";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";

/** The link of `InvoiceLink`. The days of the invoice are in the reader's zone, as on the receipt. */
export function InvoiceDownload({
  orderId,
  addressId,
  documentId,
  children,
}: {
  orderId: string;
  addressId?: string;
  documentId?: string;
  children: ReactNode;
}) {
  const query = new URLSearchParams({
    order_id: orderId,
    target_lang: useSurface().locale,
    time_zone: useTimeZone(),
  });
  if (documentId) query.set("document_id", documentId);
  if (addressId) query.set("address_id", addressId);
  return (
    <a className="button button-secondary print:hidden" href={`/api/v1/order/invoice?${query}`} download>
      {children}
    </a>
  );
}
