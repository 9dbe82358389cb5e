import { verifyResetCode } from "@/lib/accounts/password-reset/reset-password";
import { ResetCodeVerified, VerifyResetCodeInput } from "@/lib/accounts/profile/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Check the code that was sent for a new password",
    description: "Counts as one of the five attempts. The code stays valid for `reset-password`.",
    access: "public",
    body: VerifyResetCodeInput,
    result: ResetCodeVerified,
    errors: ["code_wrong", "code_expired", "code_used_up", "email_invalid"],
    rate: [{ limit: 30, seconds: 3600, by: "ip" }],
    failClosed: true,
  },
  ({ body, ip }) => verifyResetCode(body, ip),
);
