import { CodeSent, SendCodeInput } from "@/lib/accounts/contract";
import { sendVerificationCode } from "@/lib/accounts/verification/send-verification-code";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Send a verification code to an email",
    description:
      "The response does not reveal whether the email has an account. Some types require a session.",
    access: "public",
    body: SendCodeInput,
    result: CodeSent,
    errors: ["too_many_codes", "code_just_sent", "email_invalid", "session_required"],
    // Attempts. Emails have their own limits (docs/product.md#814-emails).
    rate: [
      { limit: 60, seconds: 600, by: "ip" },
      { limit: 120, seconds: 3600, by: "ip" },
    ],
    failClosed: true,
  },
  ({ body, viewer, ip }) => sendVerificationCode(viewer, body, ip),
);
