import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, it } from "vitest";
import { GET as getFeed } from "@/app/feeds/products.jsonl/route";
import { GET as getSitemap } from "@/app/sitemaps/[file]/route";
import { closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { makeFileJob } from "@/lib/catalog/jobs";
import { MakeFile, sendGeneratedFile, writeGeneratedFile } from "@/lib/platform/generated-files";
import { processState } from "@/lib/platform/process-state";

const FILE = "/feeds/trial.jsonl";
const options = { type: "text/plain", tag: "feed" };
const plain = new Request("https://shop.test/file");
const read = (request = plain) => sendGeneratedFile(request, FILE, options);

async function* lines(count: number, text: string) {
  for (let i = 0; i < count; i++) yield `${i} ${text} ${Math.random()}\n`;
}

type Queued = { path: string; version: string | null };
async function queued(): Promise<Queued[]> {
  const rows = await db.execute<{ payload: Queued }>(sql`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${MakeFile.name}`);
  return rows.map(({ payload }) => payload);
}

beforeEach(async () => {
  await db.execute(sql`delete from generated_files`);
  await db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
});
afterAll(closeDatabase);

it("the first reader of a file waits until the worker has generated it, and later ones get the same bytes", async () => {
  const reading = [read(), read()];
  await expect.poll(queued).toEqual([{ path: FILE, version: null }]);
  await writeGeneratedFile({ path: FILE, version: null }, lines(20_000, "first"));
  const [first, second] = await Promise.all(reading);
  const text = await first!.text();
  expect(text.split("\n")).toHaveLength(20_001);
  expect(await second!.text()).toBe(text);
  const { headers } = await read();
  expect(headers.get("etag")).toBe(first!.headers.get("etag"));
  const known = new Request(plain, { headers: { "if-none-match": headers.get("etag")! } });
  expect((await read(known)).status).toBe(304);
});

it("a reader gets a version to its end even if a newer one has replaced it", async () => {
  await writeGeneratedFile({ path: FILE, version: null }, lines(40_000, "old"));
  const old = await read();
  const reader = old.body!.getReader();
  let text = Buffer.from((await reader.read()).value!).toString();
  const [{ version } = { version: "" }] = await db.execute<{ version: string }>(
    sql`select version from generated_files where path = ${FILE}`,
  );
  await writeGeneratedFile({ path: FILE, version }, lines(1, "new"));
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += Buffer.from(next.value).toString();
  expect(text.split("\n")).toHaveLength(40_001);
  expect(text).not.toContain("new");
  expect(await (await read()).text()).toMatch(/^0 new/);
});

it("an old file is sent immediately and regenerated, while readers wait for one that has changed", async () => {
  await writeGeneratedFile({ path: FILE, version: null }, lines(1, "old"));
  await read();
  expect(await queued()).toEqual([]);
  await db.execute(sql`update generated_files set made_at = made_at - interval '2 minutes'`);
  expect(await (await read()).text()).toMatch(/^0 old/);
  const [job] = await queued();
  expect(job?.path).toBe(FILE);
  processState.pages = { changedMsAgo: () => 1_000 } as unknown as NonNullable<typeof processState.pages>;
  const reading = read();
  await writeGeneratedFile({ path: FILE, version: job!.version }, lines(1, "new"));
  expect(await (await reading).text()).toMatch(/^0 new/);
  processState.pages = undefined;
});

it("a file that another job has generated is not generated again, and a failed run leaves the old one", async () => {
  await writeGeneratedFile({ path: FILE, version: null }, lines(1, "old"));
  await writeGeneratedFile({ path: FILE, version: null }, lines(1, "again"));
  const [{ version } = { version: "" }] = await db.execute<{ version: string }>(
    sql`select version from generated_files where path = ${FILE}`,
  );
  async function* broken() {
    yield "a part";
    throw new Error("broken off");
  }
  await expect(writeGeneratedFile({ path: FILE, version }, broken())).rejects.toThrow("broken off");
  expect(await (await read()).text()).toMatch(/^0 old/);
});

it("feed and sitemaps of products and collections come from the worker, and unknown numbers are 404", async () => {
  const product = await createProduct();
  const sitemap = (file: string) => getSitemap(plain, { params: Promise.resolve({ file }) });
  const reading = Promise.all([getFeed(plain), sitemap("products-1.xml"), sitemap("collections.xml")]);
  await expect.poll(async () => (await queued()).length).toBe(3);
  for (const payload of await queued()) await makeFileJob.run(payload);
  const [feed, products, collections] = await reading;
  expect(await feed.text()).toContain(`"slug":"${product.slug}"`);
  expect(await products.text()).toContain(`/product/${product.slug}</loc>`);
  expect(await collections.text()).toContain("/category/");
  expect([feed.headers.get("x-robots-tag"), products.headers.get("content-type")]).toEqual([
    "noindex",
    "application/xml; charset=utf-8",
  ]);
  for (const file of ["products-7.xml", "products-0.xml", "x.xml"])
    expect((await sitemap(file)).status).toBe(404);
});
