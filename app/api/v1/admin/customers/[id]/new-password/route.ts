import { endpoint } from "@/lib/platform/api/endpoint";
import { requireCustomerPassword } from "@/lib/staff/customers/change-customer-access";
import { ConsoleCustomerParams, NewPasswordInput, NewPasswordRequired } from "@/lib/staff/customers/contract";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Require a new password of a customer",
    description:
      "For an account that someone else has taken over. All sessions end; the password and linked providers no longer sign in until the owner sets a new password with a mailed code. The owner gets an email. The accounts of staff members and of owners of merchants need an administrator. 20 an hour per staff member, together with the other calls about access.",
    access: staff("customers.access", { reauthenticated: true }),
    params: ConsoleCustomerParams,
    body: NewPasswordInput,
    previewable: effects,
    result: NewPasswordRequired,
    errors: [
      "customer_unknown",
      "own_account",
      "note_has_code",
      "new_password_required",
      "reauthentication_required",
    ],
  },
  ({ viewer, params, body }) => requireCustomerPassword(viewer, params.id, body.reason),
);
