import { z } from "zod";

/** Codes are reported as held back when their keys wait longer than this for the journal. */
export const HELD_BACK_SECONDS = 60;

/** A line of the journal: this key was handed out with this order. It never holds a code. */
export const JournalEntry = z.object({ key: z.string(), order: z.string(), at: z.iso.datetime() });
export type JournalEntry = z.output<typeof JournalEntry>;
