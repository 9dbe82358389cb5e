import { z } from "zod";
import { tellLowStock } from "@/lib/merchants/key-files/commands-stock";
import { findStockLowMail } from "@/lib/merchants/key-files/queries-stock";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { supportAddress } from "@/lib/platform/support-address";
import { findApplication } from "./queries";

registerMail("application-received", {
  load: async ({ applicationId }) => ((await findApplication(String(applicationId))) ? {} : null),
});

async function loadDecision(applicationId: unknown) {
  const application = await findApplication(String(applicationId));
  if (!application) return null;
  return { note: application.note ?? "", support: supportAddress() };
}

registerMail("application-approved", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("application-refused", { load: ({ applicationId }) => loadDecision(applicationId) });

registerMail("stock-low", {
  load: ({ merchantId, planIds }, locale) =>
    findStockLowMail(String(merchantId), String(planIds).split(",").map(Number), locale),
});

/** Every five minutes: tells owners of merchants which plans run low. */
export const tellLowStockJob = defineJob({
  name: "tell-low-stock",
  schema: z.unknown(),
  cron: "*/5 * * * *",
  async run() {
    await tellLowStock();
  },
});
