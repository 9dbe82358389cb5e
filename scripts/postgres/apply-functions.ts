import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type postgres from "postgres";
import journal from "@/db/migrations/meta/_journal.json";
import { LOCALES } from "@/lib/platform/i18n/locales";

/** The functions that put the dictionary's names into search documents. */
const DICTIONARY_FUNCTIONS = ["refresh_search_documents", "translate_product_text"];

type FunctionFile = { name: string; text: string; hash: string };

/**
 * Applies the files of a folder, db/functions, whose content differs from what this database has. Each file holds one
 * function of the file's name and the triggers that call it, and can be applied any number of times. Bodies are not
 * checked on creation, so the order of the files does not matter. Functions whose file is removed must be dropped by a
 * migration. Those of the dictionary run in a separate transaction with the search documents that they change: it takes
 * longer, and holds no lock of a table with triggers.
 */
export async function applyFunctions(client: postgres.Sql, folder: string): Promise<string[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file): FunctionFile => {
      const text = readFileSync(join(folder, file), "utf8");
      return { name: basename(file, ".sql"), text, hash: createHash("sha256").update(text).digest("hex") };
    });
  const isOfDictionary = ({ name }: FunctionFile) => DICTIONARY_FUNCTIONS.includes(name);
  const applied = await client.begin(async (tx) => {
    if (await isNewerThanCode(tx)) return [];
    const others = files.filter((file) => !isOfDictionary(file));
    const changed = await findChangedFunctions(tx, others);
    await replaceFunctions(tx, changed);
    await tx`delete from applied_functions where name <> all (${files.map(({ name }) => name)}::text[])`;
    return changed;
  });
  const ofDictionary = await client.begin(async (tx) => {
    const changed = await findChangedFunctions(tx, files.filter(isOfDictionary));
    if (changed.length === 0 || (await isNewerThanCode(tx))) return [];
    const before = await findTranslatedProducts(tx);
    await replaceFunctions(tx, changed);
    const ids = [...new Set([...before, ...(await findTranslatedProducts(tx))])];
    if (ids.length > 0) await tx`select refresh_search_documents(${ids}::int[])`;
    return changed;
  });
  return [...applied, ...ofDictionary].map(({ name }) => name).sort();
}

/** During a rollout, a restarted process of the old version must not replace the functions of the new one. */
async function isNewerThanCode(tx: postgres.TransactionSql): Promise<boolean> {
  const [newest] = await tx`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
  return newest?.at > journal.entries.at(-1)!.when;
}

async function findChangedFunctions(tx: postgres.TransactionSql, files: FunctionFile[]) {
  const applied = await tx<{ name: string; hash: string }[]>`
    select a.name, a.hash from applied_functions a
    where exists (select from pg_proc p where p.proname = a.name and p.pronamespace = current_schema::regnamespace)`;
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
  return files.filter(({ name, hash }) => hashes.get(name) !== hash);
}

async function replaceFunctions(tx: postgres.TransactionSql, files: FunctionFile[]): Promise<void> {
  await tx`set local check_function_bodies = off`;
  for (const { name, text, hash } of files) {
    await tx.unsafe(text);
    await tx`insert into applied_functions (name, hash) values (${name}, ${hash})
      on conflict (name) do update set hash = excluded.hash, applied_at = now()`;
  }
}

/** The products that a language shows under a name or with a tagline of the dictionary, if this database has it. */
async function findTranslatedProducts(tx: postgres.TransactionSql): Promise<number[]> {
  const [dictionary] = await tx`select from pg_proc p
    where p.proname = 'translate_product_text' and p.pronamespace = current_schema::regnamespace`;
  if (!dictionary) return [];
  const rows = await tx<{ id: number }[]>`
    select distinct e.product_id as id from product_texts e cross join unnest(${[...LOCALES]}::text[]) l(locale)
    where e.locale = 'en' and not exists (
      select from product_texts o where o.product_id = e.product_id and o.locale = l.locale)
    and (translate_product_text(e.name, l.locale) <> e.name or translate_product_text(e.tagline, l.locale) <> e.tagline)
    order by 1`;
  return rows.map(({ id }) => id);
}
