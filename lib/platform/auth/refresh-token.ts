import { randomBytes } from "node:crypto";
import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";

/*
 * A refresh token is `<session>.<nonce>.<seal>`. The next nonce follows from the last one by a keyed hash, so that two
 * tabs which refresh at the same moment receive the same new token; the seal proves that a token was issued by us, so
 * that only a truly issued, outdated one ends its session. The table keeps a keyed hash of the token, never itself.
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

/** The token that follows a token of ours. */
export function nextRefreshToken(token: string): string {
  const [sessionId = "", nonce = ""] = token.split(".");
  return sealed(sessionId, hmac("refresh-token", `next:${sessionId}.${nonce}`));
}

export const refreshHash = (token: string) => hmac("refresh-token", `hash:${token}`);
