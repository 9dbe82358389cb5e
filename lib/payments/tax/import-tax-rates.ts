import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { client } from "@/db/client";
import builtIn from "@/db/seed/tax-rates.json";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { parseTaxRates, type TaxRate } from "./rules-rates";

type Dated = TaxRate & { day: string };

/** The rates that come with the shop, with those of the configured file in their place, so that a rate of each country is known. */
async function readTaxRates(): Promise<Dated[]> {
  const withDay = (json: unknown): Dated[] => {
    const { day, rates } = parseTaxRates(json);
    return rates.map((rate) => ({ ...rate, day }));
  };
  const shipped = withDay(builtIn);
  const { TAX_RATES_FILE: file } = env();
  if (!file) return shipped;
  try {
    const own = withDay(JSON.parse(await readFile(file, "utf8")));
    const isOwn = ({ country, kind, from }: TaxRate) =>
      own.some((rate) => rate.country === country && rate.kind === kind && rate.from === from);
    return [...shipped.filter((rate) => !isOwn(rate)), ...own];
  } catch (error) {
    log.error({ err: error, file }, "tax rates: the file is not usable");
    return shipped;
  }
}

/**
 * Stores the rates of the file (docs/product.md#821-tax). One that is in force stays as invoices have it: only a rate of a later day
 * can still change. Returns how many rates are new or changed. Safe to repeat.
 */
export async function importTaxRates(sql: postgres.ISql = client()): Promise<number> {
  const rows = JSON.stringify(await readTaxRates());
  const changed = await sql`
    insert into tax_rates (country, kind, valid_from, bps, source, source_day)
    select r.country, r.kind, r."from", r.bps, r.source, r.day
    from json_to_recordset(${rows}::text::json) as r(country text, kind text, "from" date, bps int, source text, day date)
    on conflict (country, kind, valid_from) do update set bps = excluded.bps, source = excluded.source, source_day = excluded.source_day
      where tax_rates.bps <> excluded.bps and tax_rates.valid_from > (shop_now() at time zone 'UTC')::date
    returning 1`;
  const [other] = await sql<{ names: string | null }[]>`
    select string_agg(t.country || ' from ' || t.valid_from, ', ' order by t.country, t.valid_from) as names
    from json_to_recordset(${rows}::text::json) as r(country text, kind text, "from" date, bps int)
    join tax_rates t on (t.country, t.kind, t.valid_from) = (r.country, r.kind, r."from") and t.bps <> r.bps`;
  if (other?.names)
    log.error({ rates: other.names }, "tax rates: the file has others for days on which they were in force");
  return changed.length;
}
