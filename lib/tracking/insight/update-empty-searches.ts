import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { AnsweredSearch } from "./answer-frequent-searches";

/** Rewrites empty_searches with those of the most frequent searches that find nothing. */
export async function updateEmptySearches(answered: readonly AnsweredSearch[]): Promise<void> {
  const empty = new Map<string, { content: string; locale: string; searches: number; lastAt: string }>();
  for (const { folded: content, locale, searches, lastAt, total } of answered) {
    if (total > 0) continue;
    const before = empty.get(`${locale} ${content}`);
    empty.set(`${locale} ${content}`, {
      content,
      locale,
      searches: searches + (before?.searches ?? 0),
      lastAt: before && before.lastAt > lastAt ? before.lastAt : lastAt,
    });
  }
  const all = [...empty.values()];
  await transaction(async (tx) => {
    await tx.execute(sql`delete from empty_searches`);
    if (all.length === 0) return;
    await tx.execute(sql`
      insert into empty_searches (content, locale, searches, last_at)
      select * from unnest(${sql.param(all.map((row) => row.content))}::text[], ${sql.param(all.map((row) => row.locale))}::text[],
        ${sql.param(all.map((row) => row.searches))}::int[], ${sql.param(all.map((row) => row.lastAt))}::timestamptz[])`);
  });
}
