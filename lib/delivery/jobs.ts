import { z } from "zod";
import { SealAllCustody } from "@/lib/delivery/contract-jobs";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import {
  findCodeRequestMail,
  findPassEndingMail,
  findReplacementRefusedMail,
} from "@/lib/delivery/emails/pass-mails";
import { renewFingerprints } from "@/lib/delivery/fingerprints/renew-fingerprints";
import { journalKeys } from "@/lib/delivery/journal/journal-keys";
import { queuePassReminders } from "@/lib/delivery/library/queue-pass-reminders";
import { remindOfCodeRequests } from "@/lib/delivery/replacement/queue-code-request";
import { REMINDERS } from "@/lib/delivery/rules";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";

/** Every minute: writes assignments that are not yet in the journal, for example after an outage of its storage. */
export const journalKeysJob = defineJob({
  name: "journal-keys",
  pool: "orders",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await journalKeys();
  },
});

/** Every minute: seals custody events. */
export const sealCustodyJob = defineJob({
  name: "seal-custody",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await sealCustody();
  },
});

/** On demand: looks for custody events without a seal among all, not only after the place up to which all were sealed. */
export const sealAllCustodyJob = defineJob({
  ...SealAllCustody,
  async run() {
    await sealCustody({ all: true });
  },
});

/** Every minute: carries fingerprints of the former form over; finds none once all are. */
export const renewFingerprintsJob = defineJob({
  name: "renew-fingerprints",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await renewFingerprints();
  },
});

/** Every hour: reminds of passes that end soon and codes that must be redeemed soon. */
export const sendPassRemindersJob = defineJob({
  name: "remind-passes",
  schema: z.unknown(),
  cron: "5 * * * *",
  async run() {
    await queuePassReminders();
  },
});

/** Every hour: reminds merchants of requests for another code. */
export const remindOfCodeRequestsJob = defineJob({
  name: "remind-code-requests",
  schema: z.unknown(),
  cron: "25 * * * *",
  async run() {
    await remindOfCodeRequests();
  },
});

registerMail("code-request", {
  load: ({ requestId, reminder }, locale) =>
    findCodeRequestMail(String(requestId), Boolean(reminder), locale),
});
registerMail("pass-ending", {
  async load({ keyId, lineId, reminder, endedAt }, locale) {
    const kind = REMINDERS.find((one) => one === reminder) ?? "redeem_by";
    const mail = await findPassEndingMail(
      String(keyId),
      kind,
      locale,
      endedAt === undefined ? null : String(endedAt),
    );
    return lineId !== undefined && mail?.pass.lineId !== lineId ? null : mail;
  },
});
registerMail("replacement-refused", {
  load: ({ requestId, note }, locale) => findReplacementRefusedMail(String(requestId), String(note), locale),
});
