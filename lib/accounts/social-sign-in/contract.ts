import { z } from "zod";
import { SourceInfo } from "@/lib/accounts/contract";

/** What a first sign-in with a provider may say of where the person came from, as the registrations do. */
const Arrival = { invited_account: z.string().max(64).nullish(), source_info: SourceInfo.nullish() };

/** POST /auth/login/google (spec §7): the id token that Google's script gave to the page. */
export const GoogleLoginInput = z.object({ google_token: z.string().min(1).max(8000), ...Arrival });
export type GoogleLoginInput = z.output<typeof GoogleLoginInput>;

export const GoogleNonce = z.object({ nonce: z.string() });

/**
 * POST /auth/login/github: where to go afterwards (`redirect`, on the pages of `surface`) and what goes into the cart
 * (`add`: PRODUCT-PLAN).
 */
export const GithubLoginInput = z.object({
  redirect: z.string().max(2000).nullish(),
  add: z
    .string()
    .regex(/^\d{1,9}-\d{1,9}$/)
    .nullish(),
  surface: z.enum(["desktop", "mobile"]).default("desktop"),
  ...Arrival,
});
export type GithubLoginInput = z.output<typeof GithubLoginInput>;

export const GithubLogin = z.object({ url: z.url() });

export type SignInArrival = Pick<GoogleLoginInput, "invited_account" | "source_info">;
