import { secondFactor } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { FactorInput, RecoveryCodesView } from "@/lib/staff/contract";
import { confirmFactor } from "@/lib/staff/factors/set-up-factor";

export const POST = endpoint(
  {
    summary: "Confirm the authenticator app with its first code",
    description: "Returns ten recovery codes, which are shown once, starts staff mode and mails the owner.",
    access: secondFactor(),
    body: FactorInput,
    result: RecoveryCodesView,
    errors: ["code_wrong", "second_factor_missing", "second_factor_required", "too_many_tries"],
    rate: [{ limit: 60, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  ({ viewer, body }) => confirmFactor(viewer, body.code),
);
