import { z } from "zod";

/** Who did something, as the consoles show it: a person by address and name, with the id beside it. */
export const Actor = z.object({
  /** an account's id, `system`, `guest`, `token:` and a token's id, or `staff:` and an operating system user */
  id: z.string(),
  /** the address of an account; of others null */
  email: z.string().nullable(),
  /** the name of an account; of others null */
  name: z.string().nullable(),
});
export type Actor = z.output<typeof Actor>;
