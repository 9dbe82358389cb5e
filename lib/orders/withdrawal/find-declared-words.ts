import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { DeclaredWords } from "./rules-declaration";

/** The words of the nth declaration that is counted as one; of one beyond DECLARED_WORDS those of the last one kept. */
export async function findDeclaredWords(declarationId: string, nth: number) {
  const [row] = await db.execute<{ order_ref: string; email: string; words: DeclaredWords[] }>(sql`
    select d.order_ref, d.email, d.words from withdrawal_declarations d where d.id = ${declarationId}`);
  const words = row?.words[nth - 1] ?? row?.words.at(-1);
  return row && words ? { orderRef: row.order_ref, email: row.email, words } : null;
}
