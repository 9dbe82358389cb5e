/** What the sandbox's labelled picker of cards offers, and the two answers to a bank's question. */
export const SANDBOX_CARDS = [
  "visa",
  "mastercard",
  "authentication",
  "declined",
  "approved",
  "refused",
] as const;
export type SandboxCard = (typeof SANDBOX_CARDS)[number];

/** Those of them that one picks; the others answer the bank. */
export const PICKED_CARDS = [
  "visa",
  "mastercard",
  "authentication",
  "declined",
] as const satisfies SandboxCard[];
export type PickedCard = (typeof PICKED_CARDS)[number];

/** A stranger's stolen numbers are tried out where cards are kept: so many asks an hour, two to a card. */
export const CARD_ASKS_PER_HOUR = 30;
/** A page does not wait longer than this for the provider; its cards come afterwards then. */
export const CARDS_WAIT_MS = 2500;
