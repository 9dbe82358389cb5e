import { endpoint } from "@/lib/platform/api/endpoint";
import { endCustomerSessions } from "@/lib/staff/customers/change-customer-access";
import { ConsoleCustomerParams, EndSessionsInput, SessionsEnded } from "@/lib/staff/customers/contract";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Sign a customer out, on one device or on all",
    description:
      "The accounts of staff members and of owners of merchants need an administrator. 20 an hour per staff member, together with the other calls about access.",
    access: staff("customers.access", { reauthenticated: true }),
    params: ConsoleCustomerParams,
    body: EndSessionsInput.extend({ preview: Preview }),
    result: previewable(SessionsEnded),
    errors: ["customer_unknown", "own_account", "session_unknown", "reauthentication_required"],
  },
  ({ viewer, params, body }) =>
    runOrPreview(body.preview, () => endCustomerSessions(viewer, params.id, body.session_id)),
);
