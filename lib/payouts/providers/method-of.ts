import { sql } from "drizzle-orm";
import type { PayoutMethod } from "@/lib/payouts/rules";
import { env } from "@/lib/platform/env";

/** SQL: the country of merchant `m` by its trader file; null: none is given. */
export const COUNTRY_SQL = sql`(
  select f.value->>'country' from merchant_trade_fields f where f.merchant_id = m.id and f.field = 'address')`;

/** How merchants of a country give a new account: the payment provider reaches the countries of STRIPE_CONNECT_COUNTRIES. */
export const methodOf = (country: string | null): PayoutMethod =>
  country !== null && env().STRIPE_CONNECT_COUNTRIES?.includes(country) ? "stripe_connect" : "manual";
