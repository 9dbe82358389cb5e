import { z } from "zod";
import { eraseSentEmailAddresses } from "@/lib/accounts/erasure/erase-sent-email-addresses";
import { DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { deleteExpiredCodes } from "@/lib/accounts/verification/check-code";
import { findVerificationMail } from "@/lib/accounts/verification/find-verification-mail";
import { registerMail } from "@/lib/notifications/jobs";
import { deleteCustomer } from "@/lib/payments/cards/ensure-customer";
import { deleteOldWebhookEvents } from "@/lib/payments/store-webhook-event";
import { deleteExpiredIdempotencyKeys } from "@/lib/platform/api/idempotency";
import { deleteExpiredSessions } from "@/lib/platform/auth/session";
import { defineJob } from "@/lib/platform/jobs/queue";
import { deleteExpiredCounters } from "@/lib/platform/rate-limit";
import { deleteExpiredSandboxEvents } from "@/lib/platform/stripe/sandbox/events";
import { deleteExpiredSandboxResponses } from "@/lib/platform/stripe/sandbox/idempotency";
import { findUsername } from "./get-account";
import { IDENTITY_PROVIDERS, SECURITY_NOTICE_KINDS } from "./rules";

/** Every hour: deletes expired rate-limit counters, idempotency keys, codes, sessions and webhook events. */
export const deleteExpiredDataJob = defineJob({
  name: "delete-expired-data",
  schema: z.unknown(),
  cron: "17 * * * *",
  async run() {
    await deleteExpiredCounters();
    await deleteExpiredIdempotencyKeys();
    await deleteExpiredCodes();
    await deleteExpiredSessions();
    await deleteOldWebhookEvents();
    await deleteExpiredSandboxEvents();
    await deleteExpiredSandboxResponses();
  },
});

export const deleteProviderCustomerJob = defineJob({
  ...DeleteProviderCustomer,
  run: ({ userId }) => deleteCustomer(userId),
});

registerMail("verification-code", { load: ({ codeId }) => findVerificationMail(String(codeId)) });

registerMail("welcome", {
  async load({ userId, named }) {
    const username = await findUsername(String(userId));
    return username === null ? null : { username: named ? username : null };
  },
});

registerMail("account-notice", {
  async load({ kind, address, provider }) {
    const validKind = SECURITY_NOTICE_KINDS.find((candidate) => candidate === kind);
    if (!validKind) return null;
    return {
      kind: validKind,
      address: address === undefined ? undefined : String(address),
      provider: IDENTITY_PROVIDERS.find((candidate) => candidate === provider),
    };
  },
  async afterSent({ kind, userId }, tx) {
    if (kind === "account_deleted") await eraseSentEmailAddresses(tx, String(userId));
  },
});
