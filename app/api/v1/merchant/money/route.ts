import { merchant } from "@/lib/merchants/rules";
import { MerchantMoney } from "@/lib/payouts/money/contract";
import { getMoney } from "@/lib/payouts/money/get-money";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "What the shop owes the merchant, and what of it is held and why",
    description:
      "In USD. `balance` is `available` and all of `held`; `available` is below zero when more came back than was sold.",
    access: merchant("money.read"),
    result: MerchantMoney,
    errors: [],
  },
  ({ viewer }) => getMoney(viewer),
);
