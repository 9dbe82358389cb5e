import type { z } from "zod";
import { env } from "@/lib/platform/env";
import { type MakeFile, writeGeneratedFile } from "@/lib/platform/generated-files";
import { urlset } from "@/lib/platform/pages/sitemap";
import { COLLECTION_SITEMAP, FEED, productSitemapPart } from "./rules";
import { streamProductFeed } from "./stream-product-feed";
import { streamCollectionPages, streamProductPages } from "./stream-sitemaps";

/** Makes the product feed or a sitemap of products or collections for all its readers. */
export async function makeFile(job: z.output<typeof MakeFile.schema>): Promise<void> {
  const texts = textsOf(job.path);
  if (texts) await writeGeneratedFile(job, texts);
}

function textsOf(path: string): AsyncIterable<string> | undefined {
  if (path === FEED) return feedLines();
  if (path === COLLECTION_SITEMAP) return urlset(streamCollectionPages(), env().APP_URL);
  const part = productSitemapPart(path);
  return part ? urlset(streamProductPages(part), env().APP_URL) : undefined;
}

async function* feedLines(): AsyncGenerator<string> {
  for await (const line of streamProductFeed()) yield `${JSON.stringify(line)}\n`;
}
