import { z } from "zod";

/** A background job that is queued by name; lib/catalog/jobs.ts runs it. */
export const CopyPicture = { name: "copy-picture", schema: z.object({ hash: z.string() }) };
