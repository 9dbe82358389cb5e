import { z } from "zod";
import { SubscribeInput } from "@/lib/notifications/contract";
import { subscribe } from "@/lib/notifications/subscriptions/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Ask for discount alerts; a mail with a link confirms it",
    description: "Answers the same whether the address is new, waiting or subscribed.",
    access: "public",
    body: SubscribeInput,
    result: z.object({ sent: z.literal(true) }),
    errors: ["email_invalid"],
    rate: [{ limit: 10, seconds: 600, by: "ip" }],
  },
  async ({ body, locale }) => {
    await subscribe(body, locale);
    return { sent: true as const };
  },
);
