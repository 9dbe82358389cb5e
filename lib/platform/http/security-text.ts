import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";

/** Where the file is found (RFC 9116). */
const SECURITY_TEXT = "/.well-known/security.txt";
/** A copy stops counting after this time, which is much longer than any cache keeps one. */
const VALID_MS = 180 * 24 * 3_600_000;

/** `/.well-known/security.txt`: where to report a weakness. Its end moves on with every reading. */
export function securityText({ origin, email, now }: { origin: string; email: string; now: Date }): string {
  const expires = new Date(now.getTime() + VALID_MS);
  expires.setUTCHours(0, 0, 0, 0);
  return `Contact: mailto:${encodeURI(email)}
Expires: ${expires.toISOString().replace(".000", "")}
Preferred-Languages: ${LOCALES.map((locale) => HTML_LANG[locale]).join(", ")}
Canonical: ${origin}${SECURITY_TEXT}
`;
}
