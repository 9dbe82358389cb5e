import { z } from "zod";

const schema = z.object({ endpointId: z.string() });
export const SendWebhooks = { name: "send-webhooks", schema };
/** The same for endpoints whose last attempt failed or took long. */
export const SendSlowWebhooks = { name: "send-slow-webhooks", schema };
