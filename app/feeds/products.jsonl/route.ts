import { FEED } from "@/lib/catalog/feeds/rules";
import { sendGeneratedFile } from "@/lib/platform/generated-files";

export const dynamic = "force-dynamic";

/** All products, one a line. Described in /llms.txt. */
export const GET = (request: Request): Promise<Response> =>
  sendGeneratedFile(request, FEED, {
    type: "application/jsonl; charset=utf-8",
    tag: "feed",
    headers: { "X-Robots-Tag": "noindex" },
  });
