import { ConfirmSandboxInput, SandboxConfirmed } from "@/lib/payments/contract";
import { confirmSandboxPayment } from "@/lib/payments/sandbox/confirm-sandbox-payment";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Pay in the sandbox with a chosen outcome",
    description: "Replaces the provider's script in the browser. Available in sandbox mode only.",
    access: "user",
    body: ConfirmSandboxInput,
    result: SandboxConfirmed,
    errors: ["call_unknown", "order_unknown", "payment_method_unknown"],
  },
  ({ body, viewer }) => confirmSandboxPayment(viewer, body),
);
