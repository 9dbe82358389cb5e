import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { SandboxSignalInput, SandboxSignalSent } from "@/lib/orders/console/contract-warnings";
import { sendSandboxSignal } from "@/lib/orders/console/send-sandbox-signal";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Sandbox: let the provider's stand-in send an event about an order's payment",
    description:
      "In the demo only; elsewhere the call is unknown. The event is signed and comes by the webhook.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: ConsoleOrderParams,
    body: SandboxSignalInput,
    result: SandboxSignalSent,
    errors: ["call_unknown", "order_unknown"],
  },
  ({ viewer, params, body }) => sendSandboxSignal(viewer, params.id, body),
);
