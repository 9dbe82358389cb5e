/**
 * Structured data for search engines, in the first HTML. No text in it can end the script. It stands at the end of a page, near
 * the copy that Next writes for its router: gzip stores two texts once that are less than 32 kB apart.
 */
export function JsonLd({ of }: { of: unknown }) {
  const json = JSON.stringify(of).replace(/</g, "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a data block; its one dangerous character is escaped.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
