import { FraudSettings, FraudSettingsInput } from "@/lib/orders/console/contract-warnings";
import { getFraudSettings, setDisputeCost } from "@/lib/orders/console/decide-warnings";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "What a dispute costs, below which a suspected payment is refunded without a look",
    access: staff("refunds.decide"),
    result: FraudSettings,
    errors: [],
  },
  () => getFraudSettings(),
);

export const POST = endpoint(
  {
    summary: "Set what a dispute costs",
    access: staff("fraud.settings", { reauthenticated: true }),
    body: FraudSettingsInput,
    result: FraudSettings,
    errors: [],
  },
  ({ viewer, body }) => setDisputeCost(viewer, body),
);
