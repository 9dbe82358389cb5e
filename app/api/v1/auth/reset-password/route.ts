import { resetPassword } from "@/lib/accounts/password-reset/reset-password";
import { PasswordReset, ResetPasswordInput } from "@/lib/accounts/profile/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Set a new password with an emailed code; all devices are signed out",
    access: "public",
    body: ResetPasswordInput,
    result: PasswordReset,
    errors: ["code_wrong", "code_expired", "code_used_up", "password_short", "email_invalid"],
    rate: [{ limit: 30, seconds: 3600, by: "ip" }],
    failClosed: true,
  },
  ({ body, locale, ip }) => resetPassword(body, locale, ip),
);
