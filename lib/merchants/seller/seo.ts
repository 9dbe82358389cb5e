import type { Organization, WithContext } from "schema-dts";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { Seller } from "./contract";

/** JSON-LD of a merchant (docs/product.md#11-markup-for-search-engines). Ratings of products are not its own, and left out. */
export function sellerJsonLd(
  { handle, name, text, country, website, trader }: Seller,
  { origin, locale }: PageUrls,
): WithContext<Organization> {
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    "@id": `${origin}/seller/${handle}#organization`,
    name,
    url: origin + localizedPath(`/seller/${handle}`, { locale, surface: "desktop" }),
    ...(text && { description: text }),
    ...(country && { address: { "@type": "PostalAddress", addressCountry: country } }),
    ...(trader && {
      legalName: trader.legal_name,
      ...(trader.vat_id && { vatID: trader.vat_id }),
      ...(trader.email && { email: trader.email }),
      ...(trader.phone && { telephone: trader.phone }),
      ...(trader.country && {
        address: {
          "@type": "PostalAddress",
          addressCountry: trader.country,
          streetAddress: trader.address.join(", "),
        },
      }),
    }),
    ...(website && { sameAs: website }),
  };
}
