import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { cookieValue } from "@/lib/platform/http/cookies";
import { log } from "@/lib/platform/log";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { type AuthCookie, authCookie, expiredAuthCookie } from "./sign-in-cookies";
import type { VerifiedIdentity } from "./verified-identity";

const NONCE: AuthCookie = { name: "google-nonce", path: "/api/v1/auth/login/google", seconds: 3600 };
/** Google's tokens live for an hour; older ones are rejected. */
const MAX_TOKEN_SECONDS = 2 * 3600;
const TOLERANCE_SECONDS = 10;
const FETCH_MS = 5_000;
const DISCOVERY_MS = 3_600_000;

/** The expected `nonce` of a token: a hash of the cookie, so that the token does not reveal it. */
const nonceOf = (secret: string) => createHash("sha256").update(secret).digest("base64url");

/**
 * Creates a nonce bound to this browser by a cookie; reuses the existing cookie until it is consumed, so that two
 * tabs do not conflict.
 * @throws ShopError sign_in_unavailable
 */
export function createGoogleNonce(cookie: string | null): { nonce: string; cookie: string } {
  if (!env().GOOGLE_CLIENT_ID) throw new ShopError("sign_in_unavailable");
  const held = cookieValue(cookie, NONCE.name);
  const secret = held && /^[\w-]{43}$/.test(held) ? held : randomBytes(32).toString("base64url");
  return { nonce: nonceOf(secret), cookie: authCookie(NONCE, secret) };
}

/** Removes the nonce cookie. */
export const expiredGoogleNonceCookie = (): string => expiredAuthCookie(NONCE);

type Keys = { issuer: string; readAt: number; keys: ReturnType<typeof createRemoteJWKSet> };
let known: Keys | undefined;

/** The issuer's public keys by its discovery document, cached for an hour. */
async function keysOf(issuer: string): Promise<Keys["keys"]> {
  if (known?.issuer === issuer && Date.now() - known.readAt < DISCOVERY_MS) return known.keys;
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(FETCH_MS),
  });
  if (!answer.ok) throw new Error(`the discovery document answered ${answer.status}`);
  const found = Discovery.parse(await answer.json());
  if (found.issuer !== issuer) throw new Error("the discovery document is another issuer's");
  const keys = createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: FETCH_MS });
  known = { issuer, readAt: Date.now(), keys };
  return keys;
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
/** `email_verified` is the only proof that the address belongs to the user. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string(),
  email: z.email().max(254),
  email_verified: z.literal(true),
  name: z.string().optional(),
  nonce: z.string().min(1).optional(),
  exp: z.number(),
});

/** Whether the token itself is invalid; other failures leave that unknown. */
function isTokenFault(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  const aboutKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return !aboutKeys && error.code !== "ERR_JOSE_GENERIC"; // generic: the key endpoint did not answer 200
}

async function verified(token: string, clientId: string): Promise<JWTPayload> {
  const issuer = env().GOOGLE_ISSUER;
  try {
    const { payload } = await jwtVerify(token, await keysOf(issuer), {
      algorithms: ["RS256"],
      // Google omits the scheme in some tokens.
      issuer: [issuer, ...(issuer === "https://accounts.google.com" ? ["accounts.google.com"] : [])],
      audience: clientId,
      requiredClaims: ["exp", "iat", "sub"],
      maxTokenAge: MAX_TOKEN_SECONDS,
      clockTolerance: TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    if (isTokenFault(error)) throw new ShopError("login_failed");
    log.warn({ err: error }, "the keys of Google's sign-in cannot be read");
    throw new ShopError("sign_in_unavailable", { cause: error });
  }
}

/**
 * Verifies an id token: signature, audience, age, a verified address, and the nonce of this browser's cookie. `once`
 * is the argument of `consumeGoogleToken`.
 * @throws ShopError login_failed, sign_in_unavailable (not configured, or the issuer's keys cannot be read)
 */
export async function verifyGoogleToken(
  token: string,
  cookie: string | null,
): Promise<{ person: VerifiedIdentity; once: string }> {
  const { GOOGLE_CLIENT_ID: clientId } = env();
  if (!clientId) throw new ShopError("sign_in_unavailable");
  const { success, data: claims } = Claims.safeParse(await verified(token, clientId));
  if (!success || claims.aud !== clientId) throw new ShopError("login_failed");
  const secret = cookieValue(cookie, NONCE.name);
  if (claims.nonce !== (secret && nonceOf(secret))) throw new ShopError("login_failed");
  const { sub: subject, email, name } = claims;
  return {
    person: { provider: "google", subject, email: email.toLowerCase(), name },
    once: claims.nonce ?? token,
  };
}

/**
 * Marks a nonce, or a token without one, as used on all instances.
 * @throws ShopError login_failed: it was used before
 */
export async function consumeGoogleToken(who: string): Promise<void> {
  const once = { name: "google:token", who, limit: 1, seconds: MAX_TOKEN_SECONDS + 60 };
  await takeRateLimit([once], { failClosed: true }).catch((error: unknown) => {
    if (isShopError(error, "too_many_requests")) throw new ShopError("login_failed");
    throw error;
  });
}
