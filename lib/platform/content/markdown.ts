import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

// A picture from elsewhere would tell that house who reads here, so `![…](…)` is no picture.
const EXTENSIONS = [gfmTable(), { disable: { null: ["labelStartImage"] } }];

/**
 * Markdown as HTML that is safe to show: raw HTML in it is shown as text, and only http, https and mailto links are
 * kept. Own links (`/product/x`) become what `linkTo` makes of them; headings begin at the second level and get an id
 * each; tables a box to scroll in.
 */
export function markdownToHtml(markdown: string, linkTo: (path: string) => string): string {
  const html = micromark(markdown, { extensions: EXTENSIONS, htmlExtensions: [gfmTableHtml()] });
  let headings = 0;
  // Quotes and angle brackets of the text itself are entities by now: these match only what micromark wrote.
  return html
    .replace(/<a href="(\/(?!\/)[^"]*)"/g, (_, path: string) => `<a href="${linkTo(path)}"`)
    .replace(/<a href="((?:https?:)?\/\/[^"]*)"/gi, '<a href="$1" rel="noopener nofollow"')
    .replace(/<(\/?)h1>/g, "<$1h2>")
    .replace(/<h([2-6])>/g, (_, level: string) => {
      headings += 1;
      return `<h${level} id="part-${headings}">`;
    })
    .replace(/<table>/g, '<div class="prose-table" tabindex="0"><table>')
    .replace(/<\/table>/g, "</table></div>");
}
