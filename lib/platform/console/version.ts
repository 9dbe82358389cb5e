import { z } from "zod";

// A decision names the version that was shown, so that no one approves something that has changed since.

/** Of what an answer shows: a decision about it names it. */
export const Version = z.string().meta({ example: "5f2b8c1d09e37a64" });
/** The body of a decision. */
export const SeenVersion = z.object({
  version: Version.max(64).optional().meta({
    description:
      "The version that was read of what this call decides about. Without it, or when that has changed since, the call answers 40940.",
    example: "5f2b8c1d09e37a64",
  }),
});
export type SeenVersion = z.output<typeof SeenVersion>;
