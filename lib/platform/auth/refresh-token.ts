import { randomBytes } from "node:crypto";
import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";

/**
 * A refresh token is `<session>.<nonce>.<signature>`. The next nonce is derived from the current one by HMAC, so that two
 * tabs that refresh at once receive the same token. The signature shows that we issued the token: only an issued,
 * outdated token ends its session. The database stores an HMAC of the token.
 */
const sign = (sessionId: string, nonce: string) => hmac("refresh-token", `seal:${sessionId}.${nonce}`);
const toToken = (sessionId: string, nonce: string) => `${sessionId}.${nonce}.${sign(sessionId, nonce)}`;

export function createRefreshToken(sessionId: string): string {
  return toToken(sessionId, randomBytes(32).toString("base64url"));
}

/** The session of a token that we issued, else null. */
export function parseRefreshToken(token: string): string | null {
  const [sessionId, nonce, signature, extra] = token.split(".");
  if (!sessionId || !nonce || !signature || extra !== undefined) return null;
  return constantTimeEqual(signature, sign(sessionId, nonce)) ? sessionId : null;
}

/** The successor of a token. */
export function nextRefreshToken(token: string): string {
  const [sessionId = "", nonce = ""] = token.split(".");
  return toToken(sessionId, hmac("refresh-token", `next:${sessionId}.${nonce}`));
}

export const refreshHash = (token: string) => hmac("refresh-token", `hash:${token}`);
