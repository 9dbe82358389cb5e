import {
  DiscountsReviewed,
  MerchantParams,
  ReviewDiscountsInput,
} from "@/lib/merchants/console/contract-merchants";
import { reviewDiscounts } from "@/lib/merchants/console/review-discounts";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Say that you looked at what the shop paid of a merchant's sales",
    description:
      "The merchant leaves the queue of high discounts. It comes back when the share has grown by a fifth, or after 30 days if it is still high. `version` is that of the merchant's `discounts`: without it, or when they were recounted since, the call answers 40940.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: ReviewDiscountsInput,
    previewable: effects,
    result: DiscountsReviewed,
    errors: ["merchant_unknown", "nothing_changes", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => reviewDiscounts(viewer, params.id, body),
);
