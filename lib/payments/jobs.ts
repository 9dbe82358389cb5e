import { z } from "zod";
import { refreshExchangeRates } from "@/lib/payments/exchange-rates/refresh-exchange-rates";
import { importTaxRates } from "@/lib/payments/tax/import-tax-rates";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";

/** Four times a day: fetches the exchange rates of approximate prices, if a feed is configured. */
export const refreshExchangeRatesJob = defineJob({
  name: "refresh-exchange-rates",
  schema: z.unknown(),
  cron: "41 */6 * * *",
  async run() {
    try {
      if (await refreshExchangeRates()) log.info({}, "exchange rates refreshed");
    } catch (error) {
      log.warn({ err: error }, "exchange rates not refreshed"); // the next run tries again; the previous rates stay
    }
  },
});

/** Once a day: stores the rates of the file of taxes, which may have been replaced. */
export const importTaxRatesJob = defineJob({
  name: "import-tax-rates",
  schema: z.unknown(),
  cron: "17 0 * * *",
  async run() {
    const changed = await importTaxRates();
    if (changed > 0) log.info({ changed }, "tax rates imported");
  },
});
