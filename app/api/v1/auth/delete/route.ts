import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { AccountDeleted, DeleteAccountInput } from "@/lib/accounts/profile/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { expiredSessionCookie } from "@/lib/platform/auth/session";

export const POST = endpoint(
  {
    summary: "Delete the account permanently",
    description:
      "Requires a reauthentication within the last 15 minutes (`/auth/reauthenticate`) and the account's email, entered again. Refused while an order is open, a refund is pending, or the account is the last owner of a merchant or the last administrator. Order data that the law requires to keep is anonymized.",
    access: "user",
    body: DeleteAccountInput,
    result: AccountDeleted,
    errors: [
      "reauthentication_required",
      "account_in_use",
      "last_owner",
      "last_admin",
      "confirm_differs",
      "email_invalid",
    ],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
  },
  async ({ body, viewer, locale, ip }) =>
    withCookies(await deleteAccount(viewer, body, locale, ip), [expiredSessionCookie()]),
);
