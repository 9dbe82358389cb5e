/**
 * `waiting`: the customer waits for an answer. `closed`: no answer is needed; a new message of the customer reopens it.
 */
export const CONVERSATION_STATES = ["waiting", "answered", "closed"] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

export const MESSAGE_AUTHORS = ["customer", "staff"] as const;

/** Characters of a message. */
export const MAX_MESSAGE = 4_000;

/** How often an account, and an address group, may write to support. */
export const CONTACT_LIMITS = [
  { limit: 5, seconds: 3600, by: "user" },
  { limit: 20, seconds: 86_400, by: "user" },
  { limit: 5, seconds: 3600, by: "ip" },
  { limit: 20, seconds: 86_400, by: "ip" },
] as const;

/** How often an account may write back. */
export const REPLY_LIMITS = [
  { limit: 10, seconds: 3600, by: "user" },
  { limit: 40, seconds: 86_400, by: "user" },
  { limit: 30, seconds: 3600, by: "ip" },
] as const;

/** An answered conversation is closed when its customer has not written for so many days. */
export const ANSWERED_DAYS = 14;
/** Closed conversations are deleted after so many days. */
export const CONVERSATION_DAYS = 90;

/** The newest messages of a conversation, and conversations of an account, that are shown. */
export const SHOWN_MESSAGES = 200;
export const SHOWN_CONVERSATIONS = 50;

/** Stored answers, at most. */
export const MAX_STORED_ANSWERS = 200;

/** The variables of stored answers: `{name}` of the account, `{order}` and `{pass}` of the conversation's order. */
export const ANSWER_VARIABLES = ["name", "order", "pass"] as const;
export type AnswerVariable = (typeof ANSWER_VARIABLES)[number];
const VARIABLE = new RegExp(`\\{(${ANSWER_VARIABLES.join("|")})\\}`, "g");

/** Fills in the known variables of a stored answer. Others stay as `{name}`, and sending them is rejected. */
export const fillAnswer = (text: string, values: Readonly<Record<AnswerVariable, string | null>>): string =>
  text.replace(VARIABLE, (whole, name: AnswerVariable) => values[name] ?? whole);

/** Whether a text still has a variable that was not filled in. */
export const hasUnfilledVariable = (text: string): boolean => text.search(VARIABLE) >= 0;
