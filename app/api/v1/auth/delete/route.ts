import { deleteAccount } from "@/lib/accounts/erasure/commands";
import { AccountDeleted, DeleteAccountInput } from "@/lib/accounts/profile/contract";
import { withCookies } from "@/lib/platform/api/answer";
import { endpoint } from "@/lib/platform/api/endpoint";
import { expiredSessionCookie } from "@/lib/platform/auth/session";

export const POST = endpoint(
  {
    summary: "Delete the account for good",
    description:
      "Needs a proof of the last 15 minutes (`/auth/reauthenticate`) and the account's e-mail, typed again. Refused while an order is open or money is on its way back. What the law asks to keep of orders stays, without a name.",
    access: "user",
    body: DeleteAccountInput,
    result: AccountDeleted,
    errors: ["reauthentication_required", "account_in_use", "confirm_differs", "email_invalid"],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
  },
  async ({ body, viewer, locale }) =>
    withCookies(await deleteAccount(viewer, body, locale), [expiredSessionCookie()]),
);
