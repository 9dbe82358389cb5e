import { CodeSent, SendCodeInput } from "@/lib/accounts/contract";
import { sendVerificationCode } from "@/lib/accounts/verification/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Mail a verification code to an address",
    description:
      "The answer is the same whether the address has an account or not. Some kinds need a session.",
    access: "public",
    body: SendCodeInput,
    result: CodeSent,
    errors: ["too_many_codes", "code_just_sent", "email_invalid", "session_required"],
    rate: [{ limit: 30, seconds: 3600, by: "ip" }],
    failClosed: true,
  },
  ({ body, viewer, ip }) => sendVerificationCode(viewer, body, ip),
);
