import { endpoint } from "@/lib/endpoint";
import { confirmSandboxCard } from "@/lib/payments/commands-cards";
import { ConfirmSandboxSetupInput, SandboxSetupConfirmed } from "@/lib/payments/contract-cards";

export const POST = endpoint(
  {
    summary: "Store a pretended card in the sandbox",
    description: "Stands in for the provider's script in the browser; exists in sandbox mode only.",
    access: "user",
    body: ConfirmSandboxSetupInput,
    result: SandboxSetupConfirmed,
    errors: ["call_unknown", "payment_method_unknown"],
  },
  ({ body, viewer }) => confirmSandboxCard(viewer, body),
);
