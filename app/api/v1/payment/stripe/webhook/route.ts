import { z } from "zod";
import { receiveWebhook } from "@/lib/orders/payment/receive-webhook";
import { rawEndpoint } from "@/lib/platform/api/endpoint";
import { ShopError } from "@/lib/platform/errors";
import { InvalidWebhookError } from "@/lib/platform/stripe/errors";

export const POST = rawEndpoint(
  {
    summary: "Receive a webhook event of the payment provider",
    description: "Signed by the provider. Events may arrive repeatedly and in any order.",
    result: z.object({ received: z.boolean() }),
    errors: ["invalid_input", "body_too_large"],
    limitBytes: 256 * 1024,
  },
  async ({ body, request }) => {
    try {
      await receiveWebhook(body, request.headers.get("stripe-signature"));
    } catch (error) {
      if (error instanceof InvalidWebhookError) throw new ShopError("invalid_input", { cause: error });
      throw error;
    }
    return { received: true };
  },
);
