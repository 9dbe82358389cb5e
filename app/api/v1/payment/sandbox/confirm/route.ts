import { endpoint } from "@/lib/endpoint";
import { confirmSandboxPayment } from "@/lib/payments/commands-sandbox";
import { ConfirmSandboxInput, SandboxConfirmed } from "@/lib/payments/contract";

export const POST = endpoint(
  {
    summary: "Pay in the sandbox with a chosen outcome",
    description: "Stands in for the provider's script in the browser; exists in sandbox mode only.",
    access: "user",
    body: ConfirmSandboxInput,
    result: SandboxConfirmed,
    errors: ["call_unknown", "order_unknown", "payment_method_unknown"],
  },
  ({ body, viewer }) => confirmSandboxPayment(viewer, body),
);
