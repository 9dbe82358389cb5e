import { env } from "@/lib/platform/env";
import { cookieValue, serverCookie } from "@/lib/platform/http/cookies";
import { decodeToken, encodeToken } from "./next-auth/tokens";

/** A short-lived cookie of a sign-in: its path and lifetime in seconds. */
export type AuthCookie = { name: string; path: string; seconds: number };

/** The Set-Cookie line: HttpOnly, and sent with the provider's redirect. */
export const authCookie = ({ name, path, seconds }: AuthCookie, value: string): string =>
  serverCookie({ name, value, path, maxAge: seconds });

/** The line that removes it. */
export const expiredAuthCookie = (cookie: AuthCookie): string => authCookie({ ...cookie, seconds: 0 }, "");

/** Browsers keep cookies of up to 4096 bytes, including name and attributes. */
export const MAX_COOKIE_CHARACTERS = 3800;

/** Encrypts a value, so that the browser can neither read nor change it. */
export function encryptCookieValue({ name, seconds }: AuthCookie, value: object): Promise<string> {
  return encodeToken({ token: { kept: value }, secret: env().AUTH_SECRET, maxAge: seconds, salt: name });
}

/** Decrypts the cookie of a Cookie header; null when missing, expired or invalid. */
export async function decryptCookieValue({ name }: AuthCookie, header: string | null): Promise<unknown> {
  const token = cookieValue(header, name);
  if (!token) return null;
  const decoded = await decodeToken({ token, secret: env().AUTH_SECRET, salt: name }).catch(() => null);
  return decoded?.kept ?? null;
}
