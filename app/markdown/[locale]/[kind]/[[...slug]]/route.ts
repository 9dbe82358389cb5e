import { categoryMarkdown, helpMarkdown, productMarkdown } from "@/lib/agents/markdown/product-markdown";
import { clientIp } from "@/lib/platform/api/guard";
import { errorResponse } from "@/lib/platform/api/response";
import { READ_COSTS, takePoints } from "@/lib/platform/expensive-work";
import { DEFAULT_LOCALE, HTML_LANG, isLocale, type Locale } from "@/lib/platform/i18n/locales";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ locale: string; kind: string; slug?: string[] }> };

/** The Markdown twin of a page, requested as the page's address with `.md` (next.config.ts). */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { locale: language, kind, slug = [] } = await params;
  const locale = isLocale(language) ? language : DEFAULT_LOCALE;
  try {
    await takePoints(clientIp(request.headers), READ_COSTS.page);
    const text = slug.length > 1 ? null : await read(kind, slug[0] ?? "", locale);
    return new Response(text ?? "# 404\n", {
      status: text === null ? 404 : 200,
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "content-language": HTML_LANG[locale],
        "cache-control": text === null ? "no-store" : "public, max-age=60",
        "x-robots-tag": "noindex",
      },
    });
  } catch (error) {
    return errorResponse(error, locale).response;
  }
}

function read(kind: string, slug: string, locale: Locale): Promise<string | null> | string | null {
  if (kind === "product") return productMarkdown(slug, locale);
  if (kind === "category") return categoryMarkdown(slug, locale);
  return kind === "help" && slug === "" ? helpMarkdown(locale) : null;
}
