/**
 * What the emulator knows of an intent or refund beyond its columns: entries of `metadata` whose names begin with two
 * underscores. They are the emulator's own and are never shown.
 */
const HIDDEN = "__";

export type HiddenName =
  /** whose intent it is, and whether the card that pays is kept for them */
  | "customer"
  | "keep"
  /** card, or the wallet that pays; and what tells the same card again */
  | "with"
  | "fingerprint"
  /** a dispute, as JSON */
  | "dispute"
  /** why a refund came back */
  | "failed"
  /** a refund that the bank has not decided */
  | "pending";

type Metadata = Record<string, string>;

export const hidden = (metadata: Metadata, name: HiddenName): string | null =>
  metadata[HIDDEN + name] ?? null;

/** Writes hidden entries; null takes one away. */
export function withHidden(metadata: Metadata, values: Partial<Record<HiddenName, string | null>>): Metadata {
  const kept = { ...metadata };
  for (const [name, value] of Object.entries(values)) {
    if (value === null) delete kept[HIDDEN + name];
    else kept[HIDDEN + name] = value;
  }
  return kept;
}

/** The metadata that the caller gave. */
export const shownMetadata = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith(HIDDEN)));
