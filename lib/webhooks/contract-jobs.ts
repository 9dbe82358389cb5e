import { z } from "zod";

const schema = z.object({ endpointId: z.string() });
export const SendWebhooks = { name: "send-webhooks", schema };
/** Like `SendWebhooks`, for endpoints whose last attempt failed or was slow. */
export const SendSlowWebhooks = { name: "send-slow-webhooks", schema };
