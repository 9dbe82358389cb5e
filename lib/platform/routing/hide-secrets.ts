/**
 * A path without the secret of a link, for logs, visits and stored landing pages: `/gift/…` → `/gift`. Who knows the address
 * may claim the gift, or accept the invitation to a merchant.
 */
export const hideSecrets = (pathname: string): string =>
  pathname.replace(/(\/gift|\/business\/invite)\/[^/?#]+/i, "$1");
