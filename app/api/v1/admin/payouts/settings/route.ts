import { PayoutSettings, PayoutSettingsInput } from "@/lib/payouts/console/contract";
import { getPayoutSettings, setMinimum } from "@/lib/payouts/console/settings";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The least that is paid out, and the shop's balance at the payment provider",
    access: staff("payouts.read"),
    result: PayoutSettings,
    errors: [],
  },
  () => getPayoutSettings(),
);

export const POST = endpoint(
  {
    summary: "Set the least that is paid out",
    access: staff("payouts.manage", { reauthenticated: true }),
    body: PayoutSettingsInput,
    result: PayoutSettings,
    errors: [],
  },
  ({ viewer, body }) => setMinimum(viewer, body),
);
