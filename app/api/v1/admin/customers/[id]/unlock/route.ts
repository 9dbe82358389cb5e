import { endpoint } from "@/lib/platform/api/endpoint";
import { unlockCustomer } from "@/lib/staff/customers/commands";
import { ConsoleCustomerParams, Unlocked } from "@/lib/staff/customers/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Unlock a customer's sign-in",
    description:
      "After wrong passwords, from whatever network, or wrong codes of an authenticator app. The account of another staff member needs an administrator who has reauthenticated.",
    access: staff("customers.access"),
    params: ConsoleCustomerParams,
    result: Unlocked,
    errors: ["customer_unknown", "own_account", "reauthentication_required", "nothing_locked"],
  },
  ({ viewer, params }) => unlockCustomer(viewer, params.id),
);
