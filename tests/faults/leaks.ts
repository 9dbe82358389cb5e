import { readFileSync } from "node:fs";
import { client } from "@/db/client";

/** Where any of the given texts stands in clear: `table public.mails`, `file test-results/kill.log`. */
export async function findPlaintext(texts: string[], files: string[]): Promise<string[]> {
  const found: string[] = [];
  const search = (place: string, content: string) => {
    // a column of bytes is written in hexadecimal
    const hit = texts.some(
      (one) => content.includes(one) || content.includes(Buffer.from(one).toString("hex")),
    );
    if (hit) found.push(place);
  };
  const tables = await client()<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  for (const { name } of tables) {
    const rows = await client().unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    search(`table ${name}`, rows.map(({ row }) => row).join("\n"));
  }
  for (const file of files) search(`file ${file}`, readFileSync(file, "utf8"));
  return found;
}
