import type { Tone } from "@/components/console/pill";
import type { MerchantChange } from "@/lib/merchants/changes/contract";

/** How the state of a change looks, to staff and merchants. */
export const CHANGE_TONES: Record<MerchantChange["state"], Tone> = {
  draft: "plain",
  proposed: "warn",
  returned: "warn",
  approved: "good",
  refused: "bad",
  cancelled: "plain",
};
export const RISK_TONES: Record<MerchantChange["risk"], Tone> = { low: "plain", high: "warn" };
