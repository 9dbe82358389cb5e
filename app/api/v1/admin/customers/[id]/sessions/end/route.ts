import { endpoint } from "@/lib/platform/api/endpoint";
import { endCustomerSessions } from "@/lib/staff/customers/change-customer-access";
import { ConsoleCustomerParams, EndSessionsInput, SessionsEnded } from "@/lib/staff/customers/contract";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Sign a customer out, on one device or on all",
    description:
      "The accounts of staff members and of owners of merchants need an administrator. 20 an hour per staff member, together with the other calls about access.",
    access: staff("customers.access", { reauthenticated: true }),
    params: ConsoleCustomerParams,
    body: EndSessionsInput,
    previewable: effects,
    result: SessionsEnded,
    errors: ["customer_unknown", "own_account", "session_unknown", "reauthentication_required"],
  },
  ({ viewer, params, body }) => endCustomerSessions(viewer, params.id, body.session_id),
);
