import { llmsText } from "@/lib/catalog/feeds/rules";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { env } from "@/lib/platform/env";
import { FILE_CACHE_CONTROL } from "@/lib/platform/generated-files";

export const dynamic = "force-dynamic";

/** Describes the shop and its data for language models (llmstxt.org). */
export async function GET(): Promise<Response> {
  const text = llmsText({
    origin: env().APP_URL,
    brand: env().APP_NAME,
    categories: await listCategories("en"),
  });
  return new Response(text, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": FILE_CACHE_CONTROL },
  });
}
