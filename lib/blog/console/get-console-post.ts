import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { ShopError } from "@/lib/platform/errors";
import type { ConsolePost } from "./contract";
import { DAY } from "./list-console-posts";

/** A post as its editor shows it. @throws ShopError post_unknown */
export async function getConsolePost(id: number, within: Db = db): Promise<ConsolePost> {
  const [post] = await within.execute<ConsolePost>(sql`
    select p.id as post_id, p.revision, p.slug, p.author, p.category, nullif(p.image, ${PLACEHOLDER}) as image,
      p.recommended, p.related, ${DAY} as published_on, p.listed, p.edited,
      (select json_object_agg(t.locale, json_build_object('title', t.title, 'description', t.description, 'body', t.body))
        from post_texts t where t.post_id = p.id) as texts
    from posts p where p.id = ${id}`);
  if (!post) throw new ShopError("post_unknown");
  return post;
}
