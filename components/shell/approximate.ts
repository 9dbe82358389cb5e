import { isCurrency } from "@/lib/payments/exchange-rates/rules";
import { defaultCurrency, formatApproximate } from "@/lib/payments/exchange-rates/rules-format";
import { readCall } from "@/lib/platform/api/light-client";
import type { Approximation } from "./currency";

type Rates = Readonly<Record<string, number>>;
let rates: Promise<Rates> | undefined;

async function fetchRates(): Promise<Rates> {
  const { data } = await readCall("/payment/rates");
  return data?.rates ?? {};
}

/** The reader's currency, chosen or by default, and how prices read in it. Loaded only for readers who may need it. */
export async function approximate(chosen: string | null): Promise<Approximation> {
  const pageLanguage = document.documentElement.lang.slice(0, 2);
  const currency = isCurrency(chosen) ? chosen : defaultCurrency(navigator.language, pageLanguage);
  if (currency !== "USD") rates ??= fetchRates();
  const known = await rates?.catch((): Rates => {
    rates = undefined; // a later change of the currency tries again
    return {};
  });
  const rate = known?.[currency];
  const format = (cents: number, locale: string) =>
    rate === undefined || cents <= 0 ? null : formatApproximate(cents, currency, rate, locale);
  return { currency, format };
}
