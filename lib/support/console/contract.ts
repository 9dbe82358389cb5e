import { z } from "zod";
import { Instant, inEveryLanguage } from "@/lib/platform/api/fields";
import { Cursor, EmailPrefix, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { Message } from "@/lib/support/contract";
import { CONVERSATION_STATES, MAX_MESSAGE, MESSAGE_AUTHORS } from "@/lib/support/rules";

/** GET /admin/conversations: waiting ones, the oldest first; others with the newest message first */
export const ConsoleConversationsInput = z.object({
  cursor: Cursor,
  state: z.enum(CONVERSATION_STATES).default("waiting"),
  /** the address that answers go to, or the account's */
  email: EmailPrefix.optional(),
});
export type ConsoleConversationsInput = z.output<typeof ConsoleConversationsInput>;

const conversation = {
  conversation_id: z.string(),
  state: z.enum(CONVERSATION_STATES),
  /** null: a guest */
  customer_id: z.string().nullable(),
  email: z.string(),
  /** an order of the account */
  order_id: z.string().nullable(),
  /** as typed; of a guest it may be anyone's */
  order_number: z.string().nullable(),
  locale: z.enum(LOCALES),
  /** since when a message waits for an answer */
  waiting_since: Instant.nullable(),
  last_at: Instant,
};

export const ConsoleConversation = z.object({
  ...conversation,
  /** the beginning of the last message */
  beginning: z.string(),
  last_by: z.enum(MESSAGE_AUTHORS),
});
export type ConsoleConversation = z.output<typeof ConsoleConversation>;
export const ConsoleConversationList = listOf(ConsoleConversation);
export type ConsoleConversationList = z.output<typeof ConsoleConversationList>;

export const ConversationParams = z.object({ id: z.string().trim().min(1).max(64) });

/** GET /admin/conversations/{id} */
export const ConsoleConversationDetail = z.object({
  ...conversation,
  created_at: Instant,
  /** the newest 200, oldest first; `staff`: the address of who answered */
  messages: z.array(Message.extend({ staff: z.string().nullable() })),
  /** the values of the variables in stored answers */
  variables: z.object({
    name: z.string().nullable(),
    order: z.string().nullable(),
    pass: z.string().nullable(),
  }),
  /** the version of the state and all messages, which an answer names */
  version: Version,
});
export type ConsoleConversationDetail = z.output<typeof ConsoleConversationDetail>;

/** POST /admin/conversations/{id}/answer. `close`: closes the conversation, because no reply is expected. */
export const AnswerConversationInput = SeenVersion.extend({
  message: z.string().trim().min(1).max(MAX_MESSAGE).meta({ example: "Please try it on vendor.example." }),
  close: z.boolean().default(false),
});
export type AnswerConversationInput = z.output<typeof AnswerConversationInput>;

/** POST /admin/answers, /admin/answers/{id} */
export const StoredAnswerInput = z.object({
  title: z.string().trim().min(1).max(80),
  texts: inEveryLanguage(z.string().trim().min(1).max(MAX_MESSAGE)),
});
export type StoredAnswerInput = z.output<typeof StoredAnswerInput>;
export const ChangeStoredAnswerInput = SeenVersion.extend(StoredAnswerInput.shape);
export type ChangeStoredAnswerInput = z.output<typeof ChangeStoredAnswerInput>;

export const StoredAnswer = z.object({
  answer_id: z.string(),
  title: z.string(),
  /** with `{name}`, `{order}` and `{pass}` where these are filled in */
  texts: inEveryLanguage(z.string()),
  version: Version,
});
export type StoredAnswer = z.output<typeof StoredAnswer>;
/** GET /admin/answers: all, by title */
export const StoredAnswerList = z.object({ items: z.array(StoredAnswer) });
export type StoredAnswerList = z.output<typeof StoredAnswerList>;
export const StoredAnswerDeleted = z.object({ answer_id: z.string() });

/** The texts of a stored answer that are mailed. */
export const textsOfAnswer = ({ title, texts }: StoredAnswerInput) => [title, ...Object.values(texts)];
