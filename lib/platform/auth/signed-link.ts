import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";

/** Purposes of signed links; a token is valid for one purpose only. */
export type LinkPurpose =
  | "subscription-confirm"
  | "unsubscribe"
  | "withdraw"
  | "withdrawal-receipt"
  | "vendor-confirmation"
  | "report-receipt"
  | "report-appeal";

const sign = (purpose: LinkPurpose, payload: string) => hmac("signed-link", `${purpose}\n${payload}`);

/** A signed token for a link in an email. The payload is readable. Equal payloads give equal tokens. */
export function createSignedToken(
  purpose: LinkPurpose,
  payload: Readonly<Record<string, string | number>>,
): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${encoded}.${sign(purpose, encoded)}`;
}

/** The payload of a token signed for this purpose; null for anything else. The caller checks the expiry. */
export function verifySignedToken(purpose: LinkPurpose, token: string): Record<string, unknown> | null {
  const [encoded = "", signature = "", ...extra] = token.split(".");
  if (extra.length > 0 || token.length > 2000) return null;
  if (!constantTimeEqual(signature, sign(purpose, encoded))) return null;
  try {
    return JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")) as Record<string, unknown>;
  } catch {
    return null;
  }
}
