/** Structured data for search engines, in the first HTML. No text in it can end the script. */
export function JsonLd({ of }: { of: unknown }) {
  const json = JSON.stringify(of).replace(/</g, "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a data block; its one dangerous character is escaped.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
