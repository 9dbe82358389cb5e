import { z } from "zod";
import { SubscribeInput } from "@/lib/notifications/contract";
import { subscribe } from "@/lib/notifications/subscriptions/subscribe";
import { toMailSender } from "@/lib/notifications/take-mail-budget";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Subscribe to discount alerts; an emailed link confirms it",
    description: "The response does not reveal whether the email is already subscribed.",
    access: "public",
    body: SubscribeInput,
    result: z.object({ sent: z.literal(true) }),
    errors: ["email_invalid"],
    rate: [{ limit: 10, seconds: 600, by: "ip" }],
  },
  async ({ body, viewer, locale, ip }) => {
    await subscribe(body, locale, toMailSender(viewer, ip));
    return { sent: true as const };
  },
);
