import { createHmac } from "node:crypto";
import { constantTimeEqual, deriveKey } from "@/lib/platform/crypto/hmac";

/** Purposes of signed links; a token is valid for one purpose only. */
export type LinkPurpose = "subscription-confirm" | "unsubscribe" | "withdraw" | "vendor-confirmation";

const sign = (purpose: LinkPurpose, payload: string) =>
  createHmac("sha256", deriveKey("signed-link")).update(`${purpose}\n${payload}`).digest("base64url");

/** A readable, signed token for a link in an email. Equal facts give equal tokens. */
export function createSignedToken(
  purpose: LinkPurpose,
  facts: Readonly<Record<string, string | number>>,
): string {
  const payload = Buffer.from(JSON.stringify(facts)).toString("base64url");
  return `${payload}.${sign(purpose, payload)}`;
}

/** The facts of a token signed for this purpose; null for anything else. The caller checks the expiry. */
export function verifySignedToken(purpose: LinkPurpose, token: string): Record<string, unknown> | null {
  const [payload = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || token.length > 2000 || !constantTimeEqual(signature, sign(purpose, payload)))
    return null;
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Record<string, unknown>;
  } catch {
    return null;
  }
}
