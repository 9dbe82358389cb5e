/** Where a merchant's application stands; staff decide (docs/product.md#813-merchants). */
export const APPLICATION_STATES = ["received", "approved", "refused"] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];

/**
 * The address of a product's page as it is stored, or null: http or https, a public-looking host, no credentials. A
 * host alone counts as https.
 */
export function normalizeProductUrl(text: string): string | null {
  const given = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(given)) return null;
  const { protocol, hostname, username, password, href } = new URL(given);
  if (!/^https?:$/.test(protocol) || username || password) return null;
  const isName = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i.test(
    hostname,
  );
  return isName && !/(?:^|\.)(?:localhost|local|internal|invalid|test)$/i.test(hostname) ? href : null;
}

/** Could this be a phone number with its country code? Whether it is one the server knows (libphonenumber). */
export const isPhoneLike = (text: string): boolean =>
  /^(?:\+|00)/.test(text) && /^\d{7,17}$/.test(text.replace(/[+()\s./-]/g, ""));
