import { EmailVerified, VerifyEmailInput } from "@/lib/accounts/contract";
import { verifyEmail } from "@/lib/accounts/verification/verify-email";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Verify an email with an emailed code, so that keys may be sent to it",
    access: "user",
    body: VerifyEmailInput,
    result: EmailVerified,
    errors: ["code_wrong", "code_expired", "code_used_up", "email_invalid"],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
    failClosed: true,
  },
  ({ body, viewer }) => verifyEmail(viewer, body),
);
