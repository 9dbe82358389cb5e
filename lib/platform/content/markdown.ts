import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

// External pictures would reveal readers to other sites, so `![…](…)` is disabled.
const EXTENSIONS = [gfmTable(), { disable: { null: ["labelStartImage"] } }];

/**
 * Renders Markdown to safe HTML: raw HTML is escaped, and only http, https and mailto links are kept. Internal links
 * (`/product/x`) go through `linkTo`; headings start at level two with an id each; tables are scrollable.
 */
export function markdownToHtml(markdown: string, linkTo: (path: string) => string): string {
  const html = micromark(markdown, { extensions: EXTENSIONS, htmlExtensions: [gfmTableHtml()] });
  let headings = 0;
  // micromark has escaped the text's own quotes and brackets, so these patterns match only its output.
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
