/** States of a merchant application; staff decide (docs/product.md#813-merchants). */
export const APPLICATION_STATES = ["received", "approved", "refused"] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];
/** The note to the applicant. */
export const APPLICATION_NOTE_MAX = 1000;

/** The normalised URL of a product page; null unless it is http or https on a public-looking host without credentials. */
export function normalizeProductUrl(text: string): string | null {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, username, password, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password) return null;
  const isPublicHost =
    /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i.test(hostname);
  return isPublicHost && !/(?:^|\.)(?:localhost|local|internal|invalid|test)$/i.test(hostname) ? href : null;
}

/** A rough format check of an international phone number; the server validates with libphonenumber. */
export const isPhoneLike = (text: string): boolean =>
  /^(?:\+|00)/.test(text) && /^\d{7,17}$/.test(text.replace(/[+()\s./-]/g, ""));
