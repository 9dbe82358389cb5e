import type { MerchantSale, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { cellsOf, csvStream, toCells } from "@/lib/platform/console/csv";
import { EXPORT } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readSales, type SalesViewer } from "./list-merchant-sales";

/** The columns of the file, in the order of the screen. */
const SALE_COLUMNS = [
  "sale_id",
  "sold_at",
  "product_id",
  "product_name",
  "vip_id",
  "vip_type",
  "units",
  "price",
  "discount",
  "discount_by",
  "commission",
  "net",
  "refunded",
  "refunded_units",
  "commission_back",
  "net_back",
  "payable",
  "payable_on",
  "state",
  "buyer",
  "tax",
] as const satisfies readonly (keyof MerchantSale)[];

/** The sales of a filter as CSV, read in parts while they are sent. */
export const merchantSalesFile = (
  viewer: SalesViewer,
  input: Omit<MerchantSalesInput, "cursor">,
  locale: Locale,
): ReadableStream<Uint8Array> =>
  csvStream(
    {
      columns: SALE_COLUMNS,
      read: async (cursor) =>
        toCells(await readSales(viewer, { ...input, cursor }, locale, EXPORT), cellsOf(SALE_COLUMNS)),
    },
    input.time_zone,
  );
