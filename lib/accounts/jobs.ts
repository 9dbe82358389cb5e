import { z } from "zod";
import { forgetOldKeys } from "@/lib/idempotency";
import { defineJob } from "@/lib/jobs";
import { registerMail } from "@/lib/notifications/jobs";
import { forgetOldCounters } from "@/lib/rate-limit";
import { findUsername, findVerificationMail } from "./queries";

/** Every hour: counters whose window is over, and answers kept for replay that are a day old. */
export const forgetOldJob = defineJob({
  name: "forget-old",
  schema: z.unknown(),
  cron: "17 * * * *",
  async run() {
    await forgetOldCounters();
    await forgetOldKeys();
  },
});

registerMail("verification-code", { load: ({ codeId }) => findVerificationMail(String(codeId)) });

registerMail("welcome", {
  async load({ userId }) {
    const username = await findUsername(String(userId));
    return username === null ? null : { username };
  },
});
