import { streamProductFeed } from "@/lib/catalog/feeds/queries";
import { toTextStream } from "@/lib/platform/pages/sitemap";

export const dynamic = "force-dynamic";

/** Streams all products as JSON lines. Described in /llms.txt. */
export async function GET(): Promise<Response> {
  return new Response(toTextStream(lines()), {
    headers: {
      "Content-Type": "application/jsonl; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      "X-Robots-Tag": "noindex",
    },
  });
}

async function* lines(): AsyncGenerator<string> {
  for await (const line of streamProductFeed()) yield `${JSON.stringify(line)}\n`;
}
