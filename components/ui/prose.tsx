import "./prose.css";

/** Running text from `markdownToHtml`, which lets no foreign markup through: a readable measure in every script. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: lib/markdown.ts shows raw HTML as text.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
