import type { ClientInfo } from "@/lib/accounts/sign-in/log-in";
import { type LoginResult, openSession } from "@/lib/accounts/sign-in/open-session";
import { consumeGoogleToken, expiredGoogleNonceCookie, verifyGoogleToken } from "@/lib/platform/auth/google";
import type { Viewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { GoogleLoginInput } from "./contract";
import { findOrCreateAccount } from "./find-or-create-account";

/** `repeated`: a retry under the same Idempotency-Key. */
type GoogleCall = ClientInfo & { cookie: string | null; repeated: boolean };

/**
 * Signs in with Google's id token (login/google, docs/product.md#72-accounts). Removes the nonce cookie.
 * @throws ShopError login_failed, sign_in_unavailable
 */
export async function logInWithGoogle(
  viewer: Viewer,
  { google_token, ...attribution }: GoogleLoginInput,
  { device, ip, cookie, repeated }: GoogleCall,
): Promise<Omit<LoginResult, "cookie"> & { cookies: string[] }> {
  const { person: identity, once: tokenKey } = await verifyGoogleToken(google_token, cookie);
  const userId = await findOrCreateAccount({ identity, attribution, locale: viewer.locale, ip });
  if (!repeated) await consumeGoogleToken(tokenKey);
  const session = await openSession(viewer, userId, device).catch(toLoginError);
  return { response: session.response, cookies: [session.cookie, expiredGoogleNonceCookie()] };
}

/** The account was deleted, or a new password required, in the meantime. */
function toLoginError(error: unknown): never {
  throw isShopError(error, "session_ended") ? new ShopError("login_failed") : error;
}
