/**
 * A path without the secret of a gift's link, for logs, visits and stored landing pages: `/gift/…` → `/gift`. Who knows
 * the address may claim the gift.
 */
export const hideSecrets = (pathname: string): string => pathname.replace(/(\/gift)\/[^/?#]+/, "$1");
