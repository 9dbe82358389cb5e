import { db, shopNow } from "@/db/client";
import { exchangeRateDays, exchangeRates } from "@/db/schema/payments";
import { env } from "@/lib/platform/env";
import { observe } from "@/lib/platform/telemetry/telemetry";
import { findRates } from "./get-exchange-rates";
import { findImplausibleRate, parseRates } from "./rules-feed";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_000_000;

/**
 * Fetches the configured feed and stores its rates; false without a feed. The previous rates stay when it fails.
 * @throws Error when the feed does not answer, or answers something implausible
 */
export async function refreshExchangeRates(): Promise<boolean> {
  const { EXCHANGE_RATES_URL: url } = env();
  if (!url) return false;
  const response = await observe({ kind: "provider", name: "exchange rates" }, () =>
    fetch(url, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  if (!response.ok) throw new Error(`the feed of exchange rates answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error("the feed of exchange rates is too large");
  const { day, rates } = parseRates(JSON.parse(text));
  const implausible = findImplausibleRate(rates, (await findRates()).rates);
  if (implausible) throw new Error(`the feed's rate of ${implausible} is implausible`);
  const values = { day, rates, fetchedAt: shopNow };
  await db
    .insert(exchangeRates)
    .values({ id: "current", ...values })
    .onConflictDoUpdate({ target: exchangeRates.id, set: values });
  await db
    .insert(exchangeRateDays)
    .values({ day, rates })
    .onConflictDoUpdate({ target: exchangeRateDays.day, set: { rates } });
  return true;
}
