import { decode, encode } from "next-auth/jwt";
import { env } from "@/lib/platform/env";
import { cookieValue, serverCookie } from "@/lib/platform/http/cookies";

/** A short-lived cookie of one sign-in: where it is sent back to, and for how many seconds. */
export type AuthCookie = { name: string; path: string; seconds: number };

/** The Set-Cookie line: for the server alone, sent along when the provider's page leads back here. */
export const authCookie = ({ name, path, seconds }: AuthCookie, value: string): string =>
  serverCookie({ name, value, path, maxAge: seconds });

/** The line that forgets it. */
export const expiredAuthCookie = (cookie: AuthCookie): string => authCookie({ ...cookie, seconds: 0 }, "");

/** Browsers keep cookies of up to 4096 bytes, name and attributes included. */
export const MAX_COOKIE_CHARACTERS = 3800;

/** Seals what a sign-in must remember, so that the browser can neither read nor change it. */
export function encryptCookieValue({ name, seconds }: AuthCookie, value: object): Promise<string> {
  return encode({ token: { kept: value }, secret: env().AUTH_SECRET, maxAge: seconds, salt: name });
}

/** What the cookie of a Cookie header holds; null without one, or when it is over or not ours. */
export async function decryptCookieValue({ name }: AuthCookie, header: string | null): Promise<unknown> {
  const token = cookieValue(header, name);
  if (!token) return null;
  const read = await decode({ token, secret: env().AUTH_SECRET, salt: name }).catch(() => null);
  return read?.kept ?? null;
}
