import { EndWindowInput, WindowEnded } from "@/lib/payouts/console/contract";
import { endWindow } from "@/lib/payouts/console/end-window";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Sandbox: end this sale's window now",
    description: "In the demo only; elsewhere the call is unknown. The sale can be paid out from now on.",
    access: staff("payouts.manage", { reauthenticated: true }),
    body: EndWindowInput,
    result: WindowEnded,
    errors: ["call_unknown", "sale_unknown"],
  },
  ({ viewer, body }) => endWindow(viewer, body.sale_id),
);
