import { z } from "zod";
import { InviteCode, SourceInfo } from "@/lib/accounts/contract";

/** Attribution of a first sign-in with a provider, as in the registrations. */
const Attribution = { invited_account: InviteCode, source_info: SourceInfo.nullish() };

/** POST /auth/login/google (docs/product.md#72-accounts): Google's id token. */
export const GoogleLoginInput = z.object({ google_token: z.string().min(1).max(8000), ...Attribution });
export type GoogleLoginInput = z.output<typeof GoogleLoginInput>;

export const GoogleNonce = z.object({ nonce: z.string() });

/** POST /auth/login/github: `redirect` on the pages of `surface`, and what to add to the cart (PRODUCT-PLAN). */
export const GithubLoginInput = z.object({
  redirect: z.string().max(2000).nullish(),
  add: z
    .string()
    .regex(/^\d{1,9}-\d{1,9}$/)
    .nullish(),
  surface: z.enum(["desktop", "mobile"]).default("desktop"),
  ...Attribution,
});
export type GithubLoginInput = z.output<typeof GithubLoginInput>;

export const GithubLogin = z.object({ url: z.url() });

export type SignInArrival = Pick<GoogleLoginInput, "invited_account" | "source_info">;
