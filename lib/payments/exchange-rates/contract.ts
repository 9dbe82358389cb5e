import { z } from "zod";

/** `GET /payment/rates`: units of each currency for one US dollar, and the day of the rates. For approximate prices only. */
export const ExchangeRates = z.object({
  base: z.literal("usd"),
  as_of: z.iso.date(),
  rates: z.record(
    z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({ example: "JPY" }),
    z.number().positive(),
  ),
});
export type ExchangeRates = z.output<typeof ExchangeRates>;
