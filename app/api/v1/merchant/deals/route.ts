import { DealInput, DealResult } from "@/lib/merchants/bulk/contract";
import { startDeal } from "@/lib/merchants/bulk/start-deal";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Start one deal for all plans on sale",
    description:
      "A share off each price until a time. With `preview` the answer says what buyers would see. A call takes some products; repeat it with `after` = `next` until `next` is null. The same deal again changes nothing.",
    access: merchant("products.write", { reauthenticated: true }),
    body: DealInput,
    result: DealResult,
    errors: [],
  },
  ({ viewer, body, locale }) => startDeal(viewer, body, locale),
);
