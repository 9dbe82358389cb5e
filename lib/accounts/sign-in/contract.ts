import { z } from "zod";
import { SIGN_IN_LABELS, type SignInLabel } from "./rules-labels";

const labelShape = Object.fromEntries(Object.keys(SIGN_IN_LABELS).map((name) => [name, z.string()]));

/** What a page needs to sign a reader in without leaving it: the configured providers, and the texts of the form. */
export const SignInForm = z.object({
  google: z.object({ client_id: z.string(), script_url: z.string() }).nullable(),
  github: z.boolean(),
  labels: z.object(labelShape as Record<SignInLabel, z.ZodString>),
});
export type SignInForm = z.output<typeof SignInForm>;
