import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { SendSlowWebhooks, SendWebhooks } from "./contract-jobs";
import { deleteOldMessages } from "./delete-old-messages";
import { sendWebhooks } from "./delivery/send-webhooks";
import { findDisabledMail } from "./find-disabled-mail";

const run = async ({ endpointId }: { endpointId: string }) => {
  await sendWebhooks(endpointId);
};

/** Queued when messages are due (lib/webhooks/delivery/dispatch-webhooks.ts): sends those of an endpoint. */
export const sendWebhooksJob = defineJob({ ...SendWebhooks, pool: "webhooks", run });
export const sendSlowWebhooksJob = defineJob({ ...SendSlowWebhooks, pool: "slow-webhooks", run });

/** Every night: deletes messages older than 30 days with their attempts. */
export const deleteOldMessagesJob = defineJob({
  name: "delete-old-webhook-messages",
  schema: z.unknown(),
  cron: "23 3 * * *",
  async run() {
    await deleteOldMessages();
  },
});

registerMail("webhook-disabled", { load: ({ endpointId }) => findDisabledMail(String(endpointId)) });
