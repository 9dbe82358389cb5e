import { secondFactor } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { RecoveryCodesView } from "@/lib/staff/contract";
import { renewRecoveryCodes } from "@/lib/staff/factors/renew-recovery-codes";

export const POST = endpoint(
  {
    summary: "Replace the recovery codes",
    description:
      "Needs a recent `/auth/reauthenticate` with the second factor. The earlier codes no longer work.",
    access: secondFactor({ reauthenticated: true }),
    result: RecoveryCodesView,
    errors: ["second_factor_missing"],
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  ({ viewer }) => renewRecoveryCodes(viewer),
);
