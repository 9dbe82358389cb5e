import { endpoint } from "@/lib/platform/api/endpoint";
import { unlockCustomer } from "@/lib/staff/customers/change-customer-access";
import { ConsoleCustomerParams, Unlocked } from "@/lib/staff/customers/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Unlock a customer's sign-in",
    description:
      "After wrong passwords, from any network, or wrong codes of an authenticator app. The accounts of staff members and of owners of merchants need an administrator. 20 an hour per staff member, together with the other calls about access.",
    access: staff("customers.access", { reauthenticated: true }),
    params: ConsoleCustomerParams,
    result: Unlocked,
    errors: ["customer_unknown", "own_account", "nothing_locked", "reauthentication_required"],
  },
  ({ viewer, params }) => unlockCustomer(viewer, params.id),
);
