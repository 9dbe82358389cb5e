import { readFile } from "node:fs/promises";
import { between } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { exchangeRateDays, exchangeRates } from "@/db/schema/payments";
import builtIn from "@/db/seed/exchange-rates.json";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { ExchangeRates } from "./contract";
import { parseRateHistory, parseRates } from "./rules-feed";

type Rates = ReturnType<typeof parseRates>;

/** Reads the configured file, else the file that comes with the shop. */
async function readRatesJson<T>(parse: (json: unknown) => T): Promise<T> {
  const { EXCHANGE_RATES_FILE: file } = env();
  if (file) {
    try {
      return parse(JSON.parse(await readFile(file, "utf8")));
    } catch (error) {
      log.warn({ err: error, file }, "exchange rates: the file is not usable");
    }
  }
  return parse(builtIn);
}

/** The rates of the configured file, else of the file that comes with the shop. */
export const readRatesFile = (): Promise<Rates> => readRatesJson(parseRates);

/** A day without rates (a weekend, a holiday) has those of the next one that does. */
const MAX_DAYS_AFTER = 5;

/**
 * The rates of a day, of file and feed, else of the next day on which there were any, as Article 369h of Directive 2006/112/EC has it;
 * null: not known.
 */
export async function findRatesOn(day: string, tx: Pick<Db, "select"> = db): Promise<Rates | null> {
  const last = new Date(Date.parse(day) + MAX_DAYS_AFTER * 86_400_000).toISOString().slice(0, 10);
  const fromFile = await readRatesJson((json) => [parseRates(json), ...parseRateHistory(json)]);
  const stored = await tx
    .select()
    .from(exchangeRateDays)
    .where(between(exchangeRateDays.day, day, last));
  const [first] = [...fromFile, ...stored]
    .filter((rates) => rates.day >= day && rates.day <= last)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  return first ?? null;
}

/** The newest rates: those of the feed if one is configured and has delivered, else those of the file. */
export async function findRates(tx: Pick<Db, "select"> = db): Promise<Rates> {
  const fromFile = await readRatesFile();
  if (!env().EXCHANGE_RATES_URL) return fromFile;
  const [stored] = await tx.select().from(exchangeRates);
  return stored && stored.day >= fromFile.day ? stored : fromFile;
}

/** Rates change once a day, so each process reads them every ten minutes. */
const cache = () =>
  memoryCache<Rates>("exchange-rates", { maxBytes: 1_000_000, sizeOf: () => 2_000, maxAgeMs: 600_000 });

/** The rates for approximate prices (`GET /payment/rates`, docs/product.md#26-checkout-and-payment). */
export async function getExchangeRates(): Promise<ExchangeRates> {
  const { day, rates } = (await cache().get("current", () => findRates())) ?? (await findRates());
  return { base: "usd", as_of: day, rates };
}
