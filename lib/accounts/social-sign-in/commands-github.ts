import { z } from "zod";
import type { ClientInfo } from "@/lib/accounts/sign-in/commands";
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
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { findOrCreateAccount } from "./commands";
import { GithubLoginInput } from "./contract";
import type { SignInProblem } from "./rules";

/** Lives as long as next-auth's own cookies of the flow. */
const WAY_BACK: AuthCookie = { name: "github-return", path: "/api/auth", seconds: 900 };
const WayBack = GithubLoginInput.extend({ locale: z.enum(LOCALES) });
type WayBack = z.output<typeof WayBack>;

/**
 * Starts next-auth's GitHub flow: returns GitHub's page and the cookies that bind the callback to this browser. One
 * encrypted cookie keeps the redirect target and the invitation.
 * @throws ShopError sign_in_unavailable
 */
export async function startGithubLogin(
  { locale }: Viewer,
  input: GithubLoginInput,
): Promise<{ url: string; cookies: string[] }> {
  const { url, cookies } = await startGithubSignIn();
  const wanted: WayBack = { ...input, locale };
  const whole = await encryptCookieValue(WAY_BACK, wanted);
  const { source_info: _, ...less } = wanted; // drops the attribution when the cookie would be too large
  const kept = whole.length <= MAX_COOKIE_CHARACTERS ? whole : await encryptCookieValue(WAY_BACK, less);
  return { url, cookies: [...cookies, authCookie(WAY_BACK, kept)] };
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

/**
 * Finishes next-auth's GitHub flow at the callback. On success the browser goes to the redirect target, else to the
 * login page with the reason. Ends an earlier session.
 */
export async function finishGithubLogin(
  viewer: Viewer,
  { query, cookie, device, ip }: GithubCall,
): Promise<GithubLoginResult> {
  const { data: kept } = WayBack.safeParse(await decryptCookieValue(WAY_BACK, cookie));
  const place = { locale: kept?.locale ?? viewer.locale, surface: kept?.surface ?? ("desktop" as const) };
  const { redirect, add, invited_account } = kept ?? {};
  const back = parseSignInReturn(
    { redirect: redirect ?? undefined, add: add ?? undefined, invited_account: invited_account ?? undefined },
    place,
  );
  const end = await finishGithubSignIn({ query, cookie }, async (person) => {
    const arrival = { invited_account, source_info: kept?.source_info };
    const id = await findOrCreateAccount({ person, arrival, locale: place.locale, ip });
    const { sessionId } = await startSession({ id }, device);
    if (viewer.kind === "user") await endSession(viewer.sessionId);
    return sessionId;
  });
  const cookies = [...end.cookies, expiredAuthCookie(WAY_BACK)];
  if (!end.ok)
    return { location: loginPath(place, back, end.failure), cookies, add: null, productPath: null };
  const productPath = back.add && localizedPath(`/product/detail/${back.add.product_id}`, place);
  return { location: back.target, cookies, add: back.add, productPath };
}

function loginPath(
  place: { locale: Locale; surface: "desktop" | "mobile" },
  back: SignInReturn,
  problem: SignInProblem,
): string {
  const query = new URLSearchParams(back.query);
  query.set("error", problem);
  return `${localizedPath("/login", place)}?${query}`;
}
