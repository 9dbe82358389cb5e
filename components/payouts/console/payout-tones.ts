import type { Tone } from "@/components/console/pill";
import type { PayoutState, RunState } from "@/lib/payouts/rules";

export const RUN_TONES: Record<RunState, Tone> = {
  preparing: "plain",
  draft: "warn",
  approved: "warn",
  sent: "warn",
  closed: "good",
  cancelled: "plain",
};
export const PAYOUT_TONES: Record<PayoutState, Tone> = {
  draft: "plain",
  sent: "warn",
  confirmed: "good",
  failed: "bad",
  returned: "bad",
  dropped: "plain",
  written_off: "plain",
};
