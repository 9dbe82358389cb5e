import { endpoint } from "@/lib/platform/api/endpoint";
import {
  ConsoleCustomerParams,
  CouponChoices,
  CouponGiven,
  GiveCouponInput,
} from "@/lib/staff/customers/contract";
import { giveCustomerCoupon } from "@/lib/staff/customers/give-customer-coupon";
import { listCouponChoices } from "@/lib/staff/customers/list-coupon-choices";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Campaigns of which the customer may be given a coupon now",
    access: staff("coupons.give"),
    params: ConsoleCustomerParams,
    result: CouponChoices,
    errors: ["customer_unknown"],
  },
  ({ viewer, params }) => listCouponChoices(viewer, params.id),
);

export const POST = endpoint(
  {
    summary: "Give a customer a coupon of a campaign",
    description:
      "It is mailed; the reason is kept in the audit log. Support and catalogue together give a person at most $10 a calendar month (UTC); administrators without a limit. 20 an hour per staff member.",
    access: staff("coupons.give", { reauthenticated: true }),
    params: ConsoleCustomerParams,
    body: GiveCouponInput,
    previewable: effects,
    result: CouponGiven,
    errors: [
      "customer_unknown",
      "own_account",
      "note_has_code",
      "campaign_unknown",
      "coupon_limit",
      "voucher_unavailable",
    ],
  },
  ({ viewer, params, body }) => giveCustomerCoupon(viewer, params.id, body),
);
