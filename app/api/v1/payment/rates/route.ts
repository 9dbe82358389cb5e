import { ExchangeRates } from "@/lib/payments/exchange-rates/contract";
import { getExchangeRates } from "@/lib/payments/exchange-rates/get-exchange-rates";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Exchange rates for approximate prices; every payment is in US dollars",
    access: "public",
    result: ExchangeRates,
    errors: [],
    coalesced: true,
  },
  () => getExchangeRates(),
);
