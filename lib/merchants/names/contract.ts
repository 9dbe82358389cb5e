import { z } from "zod";
import { STATE_NOTE_MAX } from "@/lib/merchants/rules";
import { SeenVersion } from "@/lib/platform/console/version";

/** POST /admin/merchants/{id}/name/approve */
export const ApproveNameInput = SeenVersion;
/** POST /admin/merchants/{id}/name/refuse: the note is mailed to the owners. */
export const RefuseNameInput = SeenVersion.extend({
  note: z.string().trim().min(1).max(STATE_NOTE_MAX).meta({ example: "Another shop has this name." }),
});
/** The name that it has now. */
export const NameDecided = z.object({ merchant_id: z.string(), name: z.string() });
export type NameDecided = z.output<typeof NameDecided>;
