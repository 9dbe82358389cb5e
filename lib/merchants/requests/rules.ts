/** What buyers ask a merchant: to confirm that a code is unused before it is refunded, or for another code. */
export const REQUEST_KINDS = ["refund", "replacement"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** `unused` returns the money, `used` refuses; `replace` takes another code from stock, `refuse` needs a reason. */
export const REQUEST_ANSWERS = ["used", "unused", "replace", "refuse"] as const;
export type RequestAnswer = (typeof REQUEST_ANSWERS)[number];

/** The answers to each kind, the one that gives the buyer what they ask for first. */
export const ANSWERS: Readonly<Record<RequestKind, readonly RequestAnswer[]>> = {
  refund: ["unused", "used"],
  replacement: ["replace", "refuse"],
};
export const isFitting = (kind: RequestKind, answer: RequestAnswer): boolean =>
  ANSWERS[kind].includes(answer);

const MASK = "•••";

/** What shoppers wrote, without addresses, order numbers and phone numbers, by which a merchant would know them. */
export const maskPersons = (text: string): string =>
  text
    .replace(/[^\s@<>()",;:]+@[^\s@<>()"',;:]+/g, MASK)
    .replace(/\bPL-\d{4}-\d+/gi, MASK)
    .replace(/\bord_\w+/gi, MASK)
    .replace(/\+?\d[\d\s().-]{7,}\d/g, MASK);
