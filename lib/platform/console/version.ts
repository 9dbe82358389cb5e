import { z } from "zod";

// Who decides about something names the version that was shown: nobody approves what was rewritten meanwhile.

/** Of what an answer shows: a decision about it names it. */
export const Version = z.string().meta({ example: "5f2b8c1d09e37a64" });
/** The body of a decision. Without the version, or with an older one, it is refused. */
export const SeenVersion = z.object({ version: Version.max(64).optional() });
export type SeenVersion = z.output<typeof SeenVersion>;
