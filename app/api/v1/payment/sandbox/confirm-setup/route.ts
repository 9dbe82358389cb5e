import { confirmSandboxCard } from "@/lib/payments/cards/confirm-sandbox-card";
import { ConfirmSandboxSetupInput, SandboxSetupConfirmed } from "@/lib/payments/cards/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Store a simulated card in the sandbox",
    description: "Replaces the provider's script in the browser. Available in sandbox mode only.",
    access: "user",
    body: ConfirmSandboxSetupInput,
    result: SandboxSetupConfirmed,
    errors: ["call_unknown", "payment_method_unknown"],
  },
  ({ body, viewer }) => confirmSandboxCard(viewer, body),
);
