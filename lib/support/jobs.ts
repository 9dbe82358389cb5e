import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { closeAnsweredConversations, deleteOldConversations } from "./delete-conversations";
import { findMessageForMail } from "./find-message-for-mail";
import { deleteOldReports } from "./reports/delete-reports";
import { findAppealForMail, findDecisionForMail, findReportForMail } from "./reports/find-report";

registerMail("contact", {
  load: async ({ contactId }) => findMessageForMail(String(contactId)),
  replyTo: async ({ contactId }) => (await findMessageForMail(String(contactId)))?.email,
});
registerMail("contact-received", {
  load: async ({ contactId }) => ({ reference: String(contactId) }),
});
registerMail("contact-answer", {
  async load({ messageId }) {
    const message = await findMessageForMail(String(messageId));
    if (!message) return null;
    const { message: text, userId, conversationId, asked } = message;
    return { message: text, reference: asked, conversationId: userId && conversationId };
  },
});

const partyOf = (number: unknown) => (Number(number) === 1 ? "affected" : "reporter");
registerMail("report-received", { load: ({ reportId }) => findReportForMail(String(reportId)) });
registerMail("report-decided", {
  load: ({ reportId, party, about, again }) =>
    findDecisionForMail(String(reportId), partyOf(party), again ? partyOf(about) : null),
});
registerMail("report-appeal", {
  // Emails that an earlier version has queued do not say whether something changed.
  load: ({ reportId, about, party, changes = 1 }) =>
    findAppealForMail(String(reportId), partyOf(about), partyOf(party), changes === 1),
});

/** Every night: closes conversations that were answered long ago, and deletes old ones and old reports. */
export const deleteOldConversationsJob = defineJob({
  name: "delete-old-conversations",
  schema: z.unknown(),
  cron: "27 3 * * *",
  async run() {
    await closeAnsweredConversations();
    await deleteOldConversations();
    await deleteOldReports();
  },
});
