import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

// External pictures would reveal readers to other sites, so `![…](…)` is disabled. Only figures are shown.
const EXTENSIONS = [gfmTable(), { disable: { null: ["labelStartImage"] } }];

/** An image of this site: addresses, and the size in pixels that gives its proportions. */
type FigureImage = { src: string; srcset: string; width: number; height: number };

const FIGURE = /<p>!<a href="([^"]*)">([^<]*)<\/a><\/p>/g;

const SIZES = "(min-width: 600px) 530px, 92vw";

// The caption says what the image shows, so the image needs no alternative text.
const figureHtml = ({ src, srcset, width, height }: FigureImage, caption: string) =>
  `<figure><img src="${escapeAmpersands(src)}" srcset="${escapeAmpersands(srcset)}" sizes="${SIZES}" ` +
  `width="${width}" height="${height}" alt="" loading="lazy" /><figcaption>${caption}</figcaption></figure>`;

const escapeAmpersands = (address: string) => address.replaceAll("&", "&amp;");

/**
 * Renders Markdown to safe HTML: raw HTML is escaped, and only http, https and mailto links are kept. Internal links
 * (`/product/x`) go through `linkTo`; headings start at level two with an id each; tables are scrollable. A paragraph
 * that is only `![caption](target)` becomes a figure when `figure` knows the target.
 */
export function markdownToHtml(
  markdown: string,
  linkTo: (path: string) => string,
  { figure = () => null }: { figure?: (target: string) => FigureImage | null } = {},
): string {
  const html = micromark(markdown, { extensions: EXTENSIONS, htmlExtensions: [gfmTableHtml()] });
  let headings = 0;
  // micromark has escaped the text's own quotes and brackets, so these patterns match only its output.
  return html
    .replace(FIGURE, (paragraph, target: string, caption: string) => {
      const image = figure(target);
      return image ? figureHtml(image, caption) : paragraph;
    })
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
