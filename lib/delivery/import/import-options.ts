import type { Tx } from "@/db/client";
import type { Reason } from "@/lib/platform/error-messages";

/** Why a line was refused. Never quotes the line, which may contain the key when columns are mixed up. */
export type KeyImportError = { line: number } & Reason;
/** `unchanged`: the key exists already, for the same plan. */
export type KeyImportCounts = { added: number; unchanged: number; refused: number };

/** Whose keys these are: only plans of this merchant exist for the import, and its keys belong to the batch. */
export type KeyOwner = {
  merchantId: string;
  /** Its keys of an earlier, unfinished import count as added. null: a preview */
  batchId: string | null;
  /** Without this, a preview counts codes of other merchants as new, so that it does not reveal them. */
  knowsForeign?: boolean;
  /**
   * Receives the number of other merchants' codes in a batch, and returns how many of them may still be rejected by
   * line before no more codes are stored. Negative: none are stored.
   */
  limitForeign?: (tx: Tx, found: number) => Promise<number>;
};

export type KeyImportOptions = {
  /** Reports the results without writing or locking anything, so that other imports go on. */
  preview?: boolean;
  /** Who imports, for the custody of each key: a staff member's id, or who acts for a merchant. */
  actor?: string;
  owner?: KeyOwner;
  /**
   * Takes codes that look like numbers or dates of a spreadsheet, because someone has compared them with the original.
   */
  confirmHeld?: boolean | undefined;
  /**
   * Called in the transaction that stores keys, with the plans that received some, because orders may wait for them.
   */
  onStock: (tx: Tx, planIds: number[]) => Promise<void>;
  onRefused?: (rejection: KeyImportError) => void;
  onProgress?: (counts: KeyImportCounts) => void;
};
