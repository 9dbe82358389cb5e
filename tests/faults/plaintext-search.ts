import { readFileSync } from "node:fs";
import pg from "pg";
import { client } from "@/db/client";
import { env } from "@/lib/platform/env";

export type Page = { place: string; content: string };
export type Leaks = {
  /** `table public.mails`, `file test-results/kill.log`, `page /` */
  found: string[];
  searched: number;
};

/** Where any of the given texts stands in clear: in a COPY of every table (queues too), in files, in pages. */
export async function findPlaintext(texts: string[], files: string[], pages: Page[] = []): Promise<Leaks> {
  const found: string[] = [];
  let searched = 0;
  // Bytes columns are searched in hexadecimal.
  const needles = texts.flatMap((one) => [one, Buffer.from(one).toString("hex")]);
  const search = (place: string, content: string) => {
    searched++;
    if (needles.some((one) => content.includes(one))) found.push(place);
  };
  const tables = await client()<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const connection = new pg.Client({ connectionString: env().DATABASE_URL });
  await connection.connect();
  for (const { name } of tables) search(`table ${name}`, await copyOf(name, connection));
  await connection.end();
  for (const file of files) search(`file ${file}`, readFileSync(file, "utf8"));
  for (const { place, content } of pages) search(`page ${place}`, content);
  return { found, searched };
}

/** What a dump of the table would hold. Over `pg`, whose protocol gives the rows as they come. */
async function copyOf(table: string, connection: pg.Client): Promise<string> {
  const chunks: Buffer[] = [];
  await new Promise<void>((done, refuse) => {
    const query = Object.assign(
      new pg.Query(`copy ${table} to stdout`, (error) => (error ? refuse(error) : done())),
      { handleCopyData: ({ chunk }: { chunk: Buffer }) => void chunks.push(Buffer.from(chunk)) },
    );
    connection.query(query);
  });
  return Buffer.concat(chunks).toString("utf8");
}

/** What anybody may see: the pages and calls that need no sign-in, of the newest products. */
export async function publicPages(address: string): Promise<Page[]> {
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
  for (const place of paths) {
    const response = await fetch(`${address}${place}`);
    pages.push({ place, content: await response.text() });
  }
  return pages;
}
