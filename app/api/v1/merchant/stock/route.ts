import { MerchantStockInput, MerchantStockList } from "@/lib/merchants/key-files/contract";
import { listMerchantStock } from "@/lib/merchants/key-files/list-merchant-stock";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Codes in stock by plan",
    description:
      "50 plans a page, those of the newest product first. `suggested` fills the stock for 14 days at the rate of the last 28, and serves those who wait.",
    access: merchant("keys.read"),
    query: MerchantStockInput,
    result: MerchantStockList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantStock(viewer, query, locale),
);
