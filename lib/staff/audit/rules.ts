/** An entry of the audit log as it is sealed. */
export type SealedEntry = {
  id: number;
  actor: string;
  action: string;
  subject: string;
  /** The JSON text of the database, whose keys have one order; null: none. */
  detail: string | null;
  /** ISO 8601 in UTC to the microsecond. */
  at: string;
};

/** The hash before the first seal. */
export const CHAIN_START = "audit";

/** The input of a seal's hash: the previous hash, the position and the entry. A JSON array separates the fields. */
export const canonicalEntry = (
  previous: string,
  position: number,
  { id, actor, action, subject, detail, at }: SealedEntry,
): string => JSON.stringify([previous, position, id, actor, action, subject, detail, at]);
