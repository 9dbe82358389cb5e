import { randomBytes } from "node:crypto";
import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";

/**
 * A refresh token is `<session>.<nonce>.<seal>`. The next nonce derives from the last one by HMAC, so that two tabs
 * that refresh at once receive the same token; the seal shows that we issued it, so that only an issued, outdated
 * token ends its session. The table stores an HMAC of the token.
 */
const seal = (sessionId: string, nonce: string) => hmac("refresh-token", `seal:${sessionId}.${nonce}`);
const sealed = (sessionId: string, nonce: string) => `${sessionId}.${nonce}.${seal(sessionId, nonce)}`;

export function createRefreshToken(sessionId: string): string {
  return sealed(sessionId, randomBytes(32).toString("base64url"));
}

/** The session of a token that we issued, else null. */
export function parseRefreshToken(token: string): string | null {
  const [sessionId, nonce, mac, more] = token.split(".");
  if (!sessionId || !nonce || !mac || more !== undefined) return null;
  return constantTimeEqual(mac, seal(sessionId, nonce)) ? sessionId : null;
}

/** The successor of a token. */
export function nextRefreshToken(token: string): string {
  const [sessionId = "", nonce = ""] = token.split(".");
  return sealed(sessionId, hmac("refresh-token", `next:${sessionId}.${nonce}`));
}

export const refreshHash = (token: string) => hmac("refresh-token", `hash:${token}`);
