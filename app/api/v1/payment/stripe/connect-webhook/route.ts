import { z } from "zod";
import { receiveAccountEvent } from "@/lib/payouts/accounts/receive-account-event";
import { rawEndpoint } from "@/lib/platform/api/endpoint";
import { ShopError } from "@/lib/platform/errors";
import { InvalidWebhookError } from "@/lib/platform/stripe/errors";

export const POST = rawEndpoint(
  {
    summary: "Receive an event of the payment provider about a merchant's account",
    description: "A thin event, signed by the provider. Events may arrive repeatedly and in any order.",
    result: z.object({ received: z.boolean() }),
    errors: ["invalid_input", "body_too_large"],
    limitBytes: 256 * 1024,
  },
  async ({ body, request }) => {
    try {
      await receiveAccountEvent(body, request.headers.get("stripe-signature"));
    } catch (error) {
      if (error instanceof InvalidWebhookError) throw new ShopError("invalid_input", { cause: error });
      throw error;
    }
    return { received: true };
  },
);
