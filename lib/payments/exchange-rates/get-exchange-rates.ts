import { readFile } from "node:fs/promises";
import { type Db, db } from "@/db/client";
import { exchangeRates } from "@/db/schema/payments";
import builtIn from "@/db/seed/exchange-rates.json";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { ExchangeRates } from "./contract";
import { parseRates } from "./rules-feed";

type Rates = ReturnType<typeof parseRates>;

/** The rates of the configured file, else of the file that comes with the shop. */
export async function readRatesFile(): Promise<Rates> {
  const { EXCHANGE_RATES_FILE: file } = env();
  if (file) {
    try {
      return parseRates(JSON.parse(await readFile(file, "utf8")));
    } catch (error) {
      log.warn({ err: error, file }, "exchange rates: the file is not usable");
    }
  }
  return parseRates(builtIn);
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
