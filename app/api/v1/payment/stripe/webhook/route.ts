import { z } from "zod";
import { rawEndpoint } from "@/lib/endpoint";
import { ShopError } from "@/lib/errors";
import { receiveWebhook } from "@/lib/orders/commands-payment";
import { WebhookRefused } from "@/lib/stripe-errors";

export const POST = rawEndpoint(
  {
    summary: "Take a notice of the payment provider",
    description: "Signed by the provider; the same notice may come again and in any order.",
    result: z.object({ received: z.boolean() }),
    errors: ["invalid_input", "body_too_large"],
    limitBytes: 256 * 1024,
  },
  async ({ body, request }) => {
    try {
      await receiveWebhook(body, request.headers.get("stripe-signature"));
    } catch (error) {
      if (error instanceof WebhookRefused) throw new ShopError("invalid_input", { cause: error });
      throw error;
    }
    return { received: true };
  },
);
