import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { closeAnsweredConversations, deleteOldConversations } from "./delete-conversations";
import { findMessageForMail } from "./find-message-for-mail";

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

/** Every night: closes conversations that were answered long ago, and deletes old ones. */
export const deleteOldConversationsJob = defineJob({
  name: "delete-old-conversations",
  schema: z.unknown(),
  cron: "27 3 * * *",
  async run() {
    await closeAnsweredConversations();
    await deleteOldConversations();
  },
});
