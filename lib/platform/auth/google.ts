import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { EmailAddress } from "@/lib/platform/api/fields";
import { env } from "@/lib/platform/env";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { cookieValue } from "@/lib/platform/http/cookies";
import { log } from "@/lib/platform/log";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { observe } from "@/lib/platform/telemetry/telemetry";
import {
  isSandboxSignIn,
  SANDBOX_ALGORITHM,
  SANDBOX_CLIENT_ID,
  SANDBOX_ISSUER,
  sandboxKeys,
} from "./sandbox-providers";
import { type AuthCookie, authCookie, expiredAuthCookie } from "./sign-in-cookies";
import type { VerifiedIdentity } from "./verified-identity";

const NONCE: AuthCookie = { name: "google-nonce", path: "/api/v1/auth/login/google", seconds: 3600 };
/** Google's tokens live for an hour; older ones are rejected. */
const MAX_TOKEN_SECONDS = 2 * 3600;
const TOLERANCE_SECONDS = 10;
const TIMEOUT_MS = 5_000;
const DISCOVERY_CACHE_MS = 3_600_000;

/** The client id of the shop: Google's, or that of the sandbox. Undefined when sign-in with Google is not offered. */
export const googleClientId = (): string | undefined =>
  env().GOOGLE_CLIENT_ID ?? (isSandboxSignIn("google") ? SANDBOX_CLIENT_ID : undefined);

/** The expected `nonce` of a token: a hash of the cookie, so that the token does not reveal it. */
const deriveNonce = (secret: string) => createHash("sha256").update(secret).digest("base64url");

/**
 * Creates a nonce bound to this browser by a cookie; reuses the existing cookie until it is consumed, so that two
 * tabs do not conflict.
 * @throws ShopError sign_in_unavailable
 */
export function createGoogleNonce(cookie: string | null): { nonce: string; cookie: string } {
  if (!googleClientId()) throw new ShopError("sign_in_unavailable");
  const currentSecret = cookieValue(cookie, NONCE.name);
  const secret =
    currentSecret && /^[\w-]{43}$/.test(currentSecret)
      ? currentSecret
      : randomBytes(32).toString("base64url");
  return { nonce: deriveNonce(secret), cookie: authCookie(NONCE, secret) };
}

/** Removes the nonce cookie. */
export const expiredGoogleNonceCookie = (): string => expiredAuthCookie(NONCE);

type Keys = { issuer: string; readAt: number; keys: ReturnType<typeof createRemoteJWKSet> };
let cachedKeys: Keys | undefined;

/** The issuer's public keys by its discovery document, cached for an hour. */
async function fetchKeys(issuer: string): Promise<Keys["keys"]> {
  if (cachedKeys?.issuer === issuer && Date.now() - cachedKeys.readAt < DISCOVERY_CACHE_MS)
    return cachedKeys.keys;
  const response = await observe({ kind: "provider", name: "google discovery" }, () =>
    fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  if (!response.ok) throw new Error(`HTTP ${response.status} for the discovery document`);
  const discovery = Discovery.parse(await response.json());
  if (discovery.issuer !== issuer) throw new Error("the discovery document names another issuer");
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri), { timeoutDuration: TIMEOUT_MS });
  cachedKeys = { issuer, readAt: Date.now(), keys };
  return keys;
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
/** `email_verified` is the only proof that the address belongs to the user. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string(),
  email: EmailAddress,
  email_verified: z.literal(true),
  name: z.string().optional(),
  nonce: z.string().min(1).optional(),
  exp: z.number(),
});

/** Whether the token itself is invalid; other failures leave that unknown. */
function isTokenError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  const isKeyError = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return !isKeyError && error.code !== "ERR_JOSE_GENERIC"; // generic: the key endpoint did not answer 200
}

async function verifySignature(token: string, clientId: string): Promise<JWTPayload> {
  const sandbox = isSandboxSignIn("google");
  const issuer = sandbox ? SANDBOX_ISSUER : env().GOOGLE_ISSUER;
  try {
    const { payload } = await jwtVerify(token, sandbox ? sandboxKeys() : await fetchKeys(issuer), {
      algorithms: [sandbox ? SANDBOX_ALGORITHM : "RS256"],
      // Google omits the scheme in some tokens.
      issuer: [issuer, ...(issuer === "https://accounts.google.com" ? ["accounts.google.com"] : [])],
      audience: clientId,
      requiredClaims: ["exp", "iat", "sub"],
      maxTokenAge: MAX_TOKEN_SECONDS,
      clockTolerance: TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    if (isTokenError(error)) throw new ShopError("login_failed");
    log.warn({ err: error }, "Google's signing keys cannot be fetched");
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
  const clientId = googleClientId();
  if (!clientId) throw new ShopError("sign_in_unavailable");
  const { success, data: claims } = Claims.safeParse(await verifySignature(token, clientId));
  if (!success || claims.aud !== clientId) throw new ShopError("login_failed");
  const secret = cookieValue(cookie, NONCE.name);
  if (claims.nonce !== (secret && deriveNonce(secret))) throw new ShopError("login_failed");
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
