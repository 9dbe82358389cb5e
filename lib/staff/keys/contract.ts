import { z } from "zod";

/** POST /admin/replacements/{id}/revoke-batch */
export const BatchRevoked = z.object({
  batch_id: z.string(),
  /** unsold codes that can no longer be sold */
  revoked: z.int(),
  /** codes that orders hold, which stay theirs */
  reserved: z.int(),
});
export type BatchRevoked = z.output<typeof BatchRevoked>;
