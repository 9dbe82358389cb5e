import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import journal from "@/db/migrations/meta/_journal.json";
import { migrate } from "@/scripts/migrate";
import { applyFunctions } from "@/scripts/postgres/apply-functions";

/** The database of these tests: empty, or a copy of the migrated template. */
const databaseUrl = (databaseName: string) =>
  inject("databaseUrl").replace(/\/passlane$/, `/${databaseName}`);
const databaseName = `migrate_${process.pid}`;
const admin = postgres(databaseUrl("postgres"), { max: 1, onnotice: () => {} });

async function createDatabase(template = "template1") {
  await admin.unsafe(`drop database if exists ${databaseName} with (force)`);
  await admin.unsafe(`create database ${databaseName} template ${template}`);
  return postgres(databaseUrl(databaseName), { max: 1, onnotice: () => {} });
}

afterAll(async () => {
  await admin.unsafe(`drop database if exists ${databaseName} with (force)`);
  await admin.end();
});

describe("functions of db/functions", () => {
  let client: postgres.Sql;
  let folder: string;
  beforeEach(async () => {
    client = await createDatabase("passlane_template");
    folder = mkdtempSync(join(tmpdir(), "functions-"));
    for (const file of readdirSync("db/functions"))
      writeFileSync(join(folder, file), readFileSync(join("db/functions", file)));
  });
  afterEach(async () => {
    await client.end();
    rmSync(folder, { recursive: true });
  });

  it("match those of the database, each in a file named after it", async () => {
    const rows = await client<{ name: string }[]>`
      select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;
    expect(rows.map((row) => `${row.name}.sql`).sort()).toEqual(readdirSync("db/functions").sort());
  });

  it("are applied again only when their content changes", async () => {
    expect(await applyFunctions(client, folder)).toEqual([]);
    const path = join(folder, "check_order_start.sql");
    writeFileSync(path, readFileSync(path, "utf8").replace("an order starts as pending", "changed"));
    expect(await applyFunctions(client, folder)).toEqual(["check_order_start"]);
    const [row] = await client`select prosrc from pg_proc where proname = 'check_order_start'`;
    expect(row!.prosrc).toContain("changed");
    expect(await applyFunctions(client, folder)).toEqual([]);
  });

  it("are applied again after a migration dropped one", async () => {
    await client`drop function check_order_start cascade`;
    expect(await applyFunctions(client, folder)).toEqual(["check_order_start"]);
    const [row] = await client`select count(*)::int as n from pg_trigger where tgname = 'orders_start'`;
    expect(row!.n).toBe(1);
  });

  it("can all be applied twice", async () => {
    await client`delete from applied_functions`;
    expect(await applyFunctions(client, folder)).toHaveLength(readdirSync(folder).length);
  });

  it("are applied in one transaction", async () => {
    writeFileSync(join(folder, "check_key_unit.sql"), "create function broken(");
    writeFileSync(
      join(folder, "another.sql"),
      "create function another() returns int language sql as 'select 1'",
    );
    await expect(applyFunctions(client, folder)).rejects.toThrow();
    expect(await client`select from pg_proc where proname = 'another'`).toHaveLength(0);
  });

  it("write the search documents of translated products again when the dictionary changes", async () => {
    await client`insert into categories (slug, sort_num, hue, names, import_hash) values ('tools', 0, 200, '{"en":"Tools"}', 'x')`;
    for (const [slug, name] of [
      ["starling", "Starling Murals"],
      ["other", "Other"],
    ] as const) {
      await client`insert into products (slug, vendor, category, image, sort_num, activation, import_hash)
        values (${slug}, 'Maker', 'tools', 'x', 0, '{}', 'x')`;
      await client`insert into product_texts (product_id, locale, name, tagline, description, includes)
        select id, 'en', ${name}, 'Paints.', 'Paints.', '[]' from products where slug = ${slug}`;
      await client`insert into plans (product_id, type, duration_days, price_cents, availability, region, position) select id, 'week', 7, 100, 'in_stock', '[]', 0 from products where slug = ${slug}`;
    }
    await client`select refresh_search_documents(null)`;
    const found = async (word: string) =>
      (
        await client`select p.slug from search_documents d join products p on p.id = d.product_id
          where d.document @@ ${`'${word}'`}::tsquery order by p.slug`
      ).map(({ slug }) => slug);
    const path = join(folder, "translate_product_text.sql");
    const dictionary = readFileSync(path, "utf8");
    const change = async (from: string, to: string) => {
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
      expect(await applyFunctions(client, folder)).toEqual(["translate_product_text"]);
    };
    expect([await found("壁画"), await found("壁绘")]).toEqual([["starling"], []]);
    await change("Starling 壁画", "Starling 壁绘");
    expect(await found("壁绘")).toEqual(["starling"]);
    await change('"starling murals"', '"another name"');
    expect([await found("壁画"), await found("壁绘")]).toEqual([[], []]);
    await client`delete from search_documents`;
    writeFileSync(path, dictionary);
    await applyFunctions(client, folder);
    expect([await found("壁画"), await found("other")]).toEqual([["starling"], []]);
  });

  it("are not applied when the database is newer than the code", async () => {
    await client`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e12)`;
    await client`delete from applied_functions`;
    expect(await applyFunctions(client, folder)).toEqual([]);
  });
});

describe("a database that is not a copy of the template", () => {
  it("is migrated when empty, even by two concurrent processes", async () => {
    const client = await createDatabase();
    const url = databaseUrl(databaseName);
    const applied = await Promise.all([migrate(url), migrate(url)]);
    expect(applied).toContainEqual({
      migrations: journal.entries.length,
      functions: readdirSync("db/functions").length,
    });
    expect(applied).toContainEqual({ migrations: 0, functions: 0 });
    expect(await migrate(url)).toEqual({ migrations: 0, functions: 0 });
    const [row] =
      await client`select shop_now() - now() as clock_offset, (select count(*)::int from applied_functions) as n`;
    expect(row!.n).toBe(readdirSync("db/functions").length);
    await client.end();
  });

  it("is rejected with one sentence and left unchanged when its version is too old", async () => {
    const client = await createDatabase();
    await client.unsafe(`create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('0038', 1795394216083)`);
    await expect(migrate(databaseUrl(databaseName))).rejects.toThrow(
      /^This database was made by an earlier version of Passlane/,
    );
    expect(await client`select from drizzle.__drizzle_migrations`).toHaveLength(1);
    expect(await client`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
    await client.end();
  });
});
