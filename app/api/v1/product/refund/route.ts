import { RefundSheetQuery } from "@/lib/catalog/contract";
import { getRefundSheet } from "@/lib/catalog/product/get-refund-sheet";
import { RefundSheet } from "@/lib/payments/refunds/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Explain what comes back of a plan's price, as texts and bars of days",
    access: "public",
    coalesced: true,
    query: RefundSheetQuery,
    result: RefundSheet,
    errors: ["product_unknown"],
  },
  ({ query, locale }) => getRefundSheet(query.vip_id, locale),
);
