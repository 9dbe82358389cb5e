import { z } from "zod";
import { ContentLanguage } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion } from "@/lib/platform/console/version";
import { MerchantChange, MerchantChangeDetail } from "./contract";
import { CHANGE_NOTE_MAX, DECIDED_STATES } from "./rules";

/** GET /admin/changes: what waits, the oldest first; others the newest first. */
export const ConsoleChangesInput = z.object({
  cursor: Cursor,
  state: z.enum(DECIDED_STATES).default("proposed"),
  /** a merchant's handle */
  merchant: z.string().trim().min(1).max(120).optional(),
});
export type ConsoleChangesInput = z.output<typeof ConsoleChangesInput>;

const Merchant = {
  merchant: z.string(),
  merchant_name: z.string(),
  trust: z.string(),
  /** an address, or `automatic`; null: no one yet */
  decided_by: z.string().nullable(),
};
export const ConsoleChange = MerchantChange.extend(Merchant);
export type ConsoleChange = z.output<typeof ConsoleChange>;
export const ConsoleChangeList = listOf(ConsoleChange);
export type ConsoleChangeList = z.output<typeof ConsoleChangeList>;

/** GET /admin/changes/{id} */
export const ConsoleChangeDetail = MerchantChangeDetail.extend({
  ...Merchant,
  /** the language of the merchant's first owner, who reads the note */
  reader: ContentLanguage,
});
export type ConsoleChangeDetail = z.output<typeof ConsoleChangeDetail>;

const Note = z.string().trim().min(1).max(CHANGE_NOTE_MAX);
/** POST /admin/changes/{id}/approve: the note is mailed to the merchant's owners. */
export const ApproveChangeInput = SeenVersion.extend({ note: Note.optional() });
/** POST /admin/changes/{id}/return, /refuse: the note says what to correct, or why not. */
export const AnswerChangeInput = SeenVersion.extend({
  note: Note.meta({ example: "The tagline names a brand that is not yours." }),
});
