import type { Tone } from "@/components/console/pill";
import type { MerchantState } from "@/lib/merchants/rules";

/** The tone of a merchant's state. Its name is `console.merchant.state.<state>`. */
export const MERCHANT_TONES: Record<MerchantState, Tone> = {
  invited: "warn",
  active: "good",
  paused: "plain",
  suspended: "bad",
  ended: "bad",
};
