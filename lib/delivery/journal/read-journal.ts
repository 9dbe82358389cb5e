import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { type LogPlace, readAppendLog } from "@/lib/platform/append-log";
import { env } from "@/lib/platform/env";
import { HELD_BACK_SECONDS, JournalEntry } from "./rules";

/** Where the journal of assignments is; undefined when none is configured. */
export function journalPlace(): LogPlace | undefined {
  const { ASSIGNMENT_JOURNAL_DIR: folder, ASSIGNMENT_JOURNAL_BUCKET: bucket } = env();
  return folder ? { folder } : bucket ? { bucket } : undefined;
}

export const hasJournal = (): boolean => journalPlace() !== undefined;

/** Whether codes are held back, because the journal cannot be written. For `/readyz`. */
export async function holdsCodesBack(): Promise<boolean> {
  const [row] = await db.execute<{ held: boolean }>(sql`
    select exists (select from unjournaled_keys
      where created_at < shop_now() - make_interval(secs => ${HELD_BACK_SECONDS})) as held`);
  return row?.held ?? false;
}

export type Journal = {
  /** Each key that was handed out, with the orders that it was handed out with. */
  entries: JournalEntry[];
  files: number;
  /** Whether there are files of before, which were not read. */
  beganBefore: boolean;
  /** Where lines are missing or cannot be read. */
  gaps: string[];
};

/**
 * Reads the journal, with `since` all lines from then on and some of the day before.
 * @throws Error when none is configured, or it cannot be read
 */
export async function readJournal(since?: Date): Promise<Journal> {
  const place = journalPlace();
  if (!place)
    throw new Error("no journal is configured (ASSIGNMENT_JOURNAL_DIR or ASSIGNMENT_JOURNAL_BUCKET)");
  const { values, files, olderFiles, gaps } = await readAppendLog(place, since);
  const entries: JournalEntry[] = [];
  for (const value of values) {
    const entry = JournalEntry.safeParse(value);
    if (entry.success) entries.push(entry.data);
    else gaps.push("a line that is no entry");
  }
  return { entries, files, beganBefore: olderFiles > 0, gaps };
}
