import { z } from "zod";
import { ForgetCustomer } from "@/lib/accounts/profile/contract";
import { forgetOldCodes } from "@/lib/accounts/verification/commands";
import { registerMail } from "@/lib/notifications/jobs";
import { forgetCustomer } from "@/lib/payments/cards/commands";
import { forgetOldWebhookEvents } from "@/lib/payments/commands";
import { deleteExpiredIdempotencyKeys } from "@/lib/platform/api/idempotency";
import { deleteExpiredSessions } from "@/lib/platform/auth/session";
import { defineJob } from "@/lib/platform/jobs/queue";
import { deleteExpiredCounters } from "@/lib/platform/rate-limit";
import { forgetOldSandboxEvents } from "@/lib/platform/stripe/sandbox/delivery";
import { forgetAddressOf } from "./commands";
import { findUsername, findVerificationMail } from "./queries";
import { IDENTITY_PROVIDERS, NOTICE_KINDS } from "./rules";

/** Every hour: counters, answers kept for replay, codes, sessions and notices, each kind once its time is over. */
export const forgetOldJob = defineJob({
  name: "forget-old",
  schema: z.unknown(),
  cron: "17 * * * *",
  async run() {
    await deleteExpiredCounters();
    await deleteExpiredIdempotencyKeys();
    await forgetOldCodes();
    await deleteExpiredSessions();
    await forgetOldWebhookEvents();
    await forgetOldSandboxEvents();
  },
});

export const forgetCustomerJob = defineJob({
  ...ForgetCustomer,
  run: ({ userId }) => forgetCustomer(userId),
});

registerMail("verification-code", { load: ({ codeId }) => findVerificationMail(String(codeId)) });

registerMail("welcome", {
  async load({ userId }) {
    const username = await findUsername(String(userId));
    return username === null ? null : { username };
  },
});

registerMail("account-notice", {
  async load({ kind, address, provider }) {
    const known = NOTICE_KINDS.find((each) => each === kind);
    return known
      ? {
          kind: known,
          address: address === undefined ? undefined : String(address),
          provider: IDENTITY_PROVIDERS.find((each) => each === provider),
        }
      : null;
  },
  async afterSent({ kind, userId }, tx) {
    if (kind === "account_deleted") await forgetAddressOf(tx, String(userId));
  },
});
