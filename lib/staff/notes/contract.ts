import { z } from "zod";
import { NOTE_MAX } from "./rules";

/** POST /admin/orders/{id}/note, /admin/customers/{id}/note */
export const NoteInput = z.object({ text: z.string().trim().min(1).max(NOTE_MAX) });
export const NoteParams = z.object({ id: z.string().trim().min(1).max(64) });
export const NoteAdded = z.object({ note_id: z.string() });
export type NoteAdded = z.output<typeof NoteAdded>;
