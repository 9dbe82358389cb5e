import { readFileSync } from "node:fs";
import pg from "pg";
import { client } from "@/db/client";
import { env } from "@/lib/platform/env";

export type Page = { path: string; content: string };
export type PlaintextSearch = {
  /** Where a text was found: `table public.mails`, `file test-results/kill.log`, `page /`. */
  found: string[];
  searched: number;
};

/** Searches texts in a COPY of every table (queues too), in files and in pages. */
export async function findPlaintext(
  texts: string[],
  files: string[],
  pages: Page[] = [],
): Promise<PlaintextSearch> {
  const found: string[] = [];
  let searched = 0;
  // Bytes columns are searched in hexadecimal.
  const needles = texts.flatMap((text) => [text, Buffer.from(text).toString("hex")]);
  const search = (location: string, content: string) => {
    searched++;
    if (needles.some((needle) => content.includes(needle))) found.push(location);
  };
  // A partitioned table has its rows in its partitions.
  const tables = await client()<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;
  const connection = new pg.Client({ connectionString: env().DATABASE_URL });
  await connection.connect();
  for (const { name } of tables) search(`table ${name}`, await dumpTable(name, connection));
  await connection.end();
  for (const file of files) search(`file ${file}`, readFileSync(file, "utf8"));
  for (const { path, content } of pages) search(`page ${path}`, content);
  return { found, searched };
}

/** The content of a table as `copy … to stdout` returns it. Uses `pg`, which exposes the rows of a COPY. */
async function dumpTable(table: string, connection: pg.Client): Promise<string> {
  const chunks: Buffer[] = [];
  await new Promise<void>((done, fail) => {
    const query = Object.assign(
      new pg.Query(`copy ${table} to stdout`, (error) => (error ? fail(error) : done())),
      { handleCopyData: ({ chunk }: { chunk: Buffer }) => void chunks.push(Buffer.from(chunk)) },
    );
    connection.query(query);
  });
  return Buffer.concat(chunks).toString("utf8");
}

/** Fetches public pages and calls, also those of the newest products. */
export async function fetchPublicPages(address: string): Promise<Page[]> {
  const slugs = await client()<
    { slug: string; id: number }[]
  >`select slug, id from products order by id desc limit 5`;
  const paths = [
    "/",
    "/products",
    "/sitemap.xml",
    "/api/v1/product/list",
    "/api/v1/product/hot",
    "/api/v1/blog/list",
  ];
  for (const { slug, id } of slugs) paths.push(`/product/${slug}`, `/api/v1/product/detail?product_id=${id}`);
  const pages: Page[] = [];
  for (const path of paths) {
    const response = await fetch(`${address}${path}`);
    pages.push({ path, content: await response.text() });
  }
  return pages;
}
