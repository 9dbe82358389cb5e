import { z } from "zod";
import { EmailAddress, Instant, KnownEmail } from "@/lib/platform/api/fields";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { CONVERSATION_STATES, MAX_MESSAGE, MESSAGE_AUTHORS } from "@/lib/support/rules";

const MessageText = z.string().trim().min(1).max(MAX_MESSAGE).meta({ example: "My code is not accepted." });
const ConversationId = z.string().trim().min(1).max(64);

/** `POST /contact/create`: a message to the shop's support. */
export const ContactInput = z.object({
  email: KnownEmail.pipe(EmailAddress),
  message: MessageText,
  /** the number or id of the order that the message is about */
  order_number: z.string().overwrite(foldOrderNumber).max(64).nullish().meta({ example: "ord_1" }),
  /** a honeypot: hidden in the form, so that messages in which it is filled in come from bots and are discarded */
  website: z.string().max(500).nullish(),
});
export type ContactInput = z.output<typeof ContactInput>;

/** `reference` names the message in the reply; `conversation_id` leads to it in the sender's account, null for a guest. */
export const ContactReceived = z.object({ reference: z.string(), conversation_id: z.string().nullable() });
export type ContactReceived = z.output<typeof ContactReceived>;

/** `POST /contact/reply`: a further message of the customer. */
export const ReplyInput = z.object({ conversation_id: ConversationId, message: MessageText });
export type ReplyInput = z.output<typeof ReplyInput>;

const conversation = {
  conversation_id: z.string(),
  state: z.enum(CONVERSATION_STATES),
  /** of an order of the account */
  order_id: z.string().nullable(),
  /** as typed */
  order_number: z.string().nullable(),
  created_at: Instant,
  last_at: Instant,
};

/** `GET /contact/list`: the newest 50 of the account. */
export const ConversationList = z.object({
  items: z.array(
    z.object({
      ...conversation,
      /** the beginning of the last message */
      beginning: z.string(),
      last_by: z.enum(MESSAGE_AUTHORS),
    }),
  ),
});
export type ConversationList = z.output<typeof ConversationList>;

/** `GET /contact/detail` */
export const ConversationInput = z.object({ conversation_id: ConversationId });
export const Message = z.object({
  message_id: z.string(),
  author: z.enum(MESSAGE_AUTHORS),
  /** codes are masked */
  text: z.string(),
  at: Instant,
});
export const ConversationView = z.object({
  ...conversation,
  /** the newest 200, oldest first */
  messages: z.array(Message),
});
export type ConversationView = z.output<typeof ConversationView>;
