import { z } from "zod";
import type { ClientInfo } from "@/lib/accounts/sign-in/log-in";
import { parseSignInReturn, type SignInReturn } from "@/lib/accounts/sign-in/rules";
import { finishGithubSignIn, startGithubSignIn } from "@/lib/platform/auth/github";
import { endSession, startSession, type Viewer } from "@/lib/platform/auth/session";
import {
  type AuthCookie,
  authCookie,
  decryptCookieValue,
  encryptCookieValue,
  expiredAuthCookie,
  MAX_COOKIE_CHARACTERS,
} from "@/lib/platform/auth/sign-in-cookies";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { GithubLoginInput } from "./contract";
import { findOrCreateAccount } from "./find-or-create-account";

/** Lives as long as next-auth's own cookies of the flow. */
const RETURN_COOKIE: AuthCookie = { name: "github-return", path: "/api/auth", seconds: 900 };
const ReturnState = GithubLoginInput.extend({ locale: z.enum(LOCALES) });
type ReturnState = z.output<typeof ReturnState>;

/**
 * Starts next-auth's GitHub flow: returns GitHub's page and the cookies that bind the callback to this browser. One
 * encrypted cookie stores the redirect target and the invitation.
 * @throws ShopError sign_in_unavailable
 */
export async function startGithubLogin({ locale }: Viewer, input: GithubLoginInput) {
  const { url, cookies } = await startGithubSignIn(locale);
  const state: ReturnState = { ...input, locale };
  let value = await encryptCookieValue(RETURN_COOKIE, state);
  if (value.length > MAX_COOKIE_CHARACTERS) {
    const { source_info: _, ...withoutAttribution } = state;
    value = await encryptCookieValue(RETURN_COOKIE, withoutAttribution);
  }
  return { url, cookies: [...cookies, authCookie(RETURN_COOKIE, value)] };
}

/** `location`: where the browser goes; `add`: the product to add to the new user's cart. */
export type GithubLoginResult = {
  location: string;
  cookies: string[];
  add: SignInReturn["add"];
  /** the product's page in the reader's language and surface */
  productPath: string | null;
};
type GithubCall = ClientInfo & { query: Record<string, string>; cookie: string | null };

/** Finishes next-auth's GitHub flow: the browser goes to the redirect target, or to the login page with the reason. */
export async function finishGithubLogin(
  viewer: Viewer,
  { query, cookie, device, ip }: GithubCall,
): Promise<GithubLoginResult> {
  const { data: state } = ReturnState.safeParse(await decryptCookieValue(RETURN_COOKIE, cookie));
  const location = {
    locale: state?.locale ?? viewer.locale,
    surface: state?.surface ?? ("desktop" as const),
  };
  const { redirect, add, invited_account, source_info } = state ?? {};
  const signInReturn = parseSignInReturn({ redirect, add, invited_account }, location);
  const result = await finishGithubSignIn({ query, cookie }, async (identity) => {
    const attribution = { invited_account, source_info };
    const id = await findOrCreateAccount({ identity, attribution, locale: location.locale, ip });
    const { sessionId } = await startSession({ id }, device);
    if (viewer.kind === "user") await endSession(viewer.sessionId);
    return sessionId;
  });
  const cookies = [...result.cookies, expiredAuthCookie(RETURN_COOKIE)];
  if (!result.ok) {
    const query = new URLSearchParams(signInReturn.query);
    query.set("error", result.failure);
    const loginPath = localizedPath("/login", location);
    return { location: `${loginPath}?${query}`, cookies, add: null, productPath: null };
  }
  const product = signInReturn.add;
  const productPath = product && localizedPath(`/product/detail/${product.product_id}`, location);
  return { location: signInReturn.target, cookies, add: product, productPath };
}
