import { StockAlertInput, StockAlertSet, StockParams } from "@/lib/merchants/key-files/contract";
import { setStockAlert } from "@/lib/merchants/key-files/set-stock-alert";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Set when the owners are notified that a plan runs low",
    description:
      "By days of cover, by a number of codes, or never. They get one email, and the next one after the plan was restocked.",
    access: merchant("keys.write"),
    params: StockParams,
    body: StockAlertInput,
    result: StockAlertSet,
    errors: ["plan_unknown"],
  },
  ({ viewer, params, body }) => setStockAlert(viewer, params.id, body),
);
