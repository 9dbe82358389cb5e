import { secondFactor } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { FactorSetupView } from "@/lib/staff/contract";
import { setUpFactor } from "@/lib/staff/factors/set-up-factor";

export const POST = endpoint(
  {
    summary: "Create a secret for an authenticator app",
    description:
      "It works after `/auth/second-factor/confirm`. The first one needs a recent `/auth/reauthenticate`, another one also the present factor.",
    access: secondFactor(),
    result: FactorSetupView,
    errors: ["reauthentication_required", "second_factor_required"],
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  ({ viewer }) => setUpFactor(viewer),
);
