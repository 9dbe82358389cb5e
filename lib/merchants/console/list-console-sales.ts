import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantSaleList, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/** @throws ShopError merchant_unknown */
export async function findMerchantName(id: string): Promise<string> {
  const [row] = await db.execute<{ name: string }>(sql`select name from merchants where id = ${id}`);
  if (!row) throw new ShopError("merchant_unknown");
  return row.name;
}

/** A page of a merchant's sales as the merchant sees them. @throws ShopError merchant_unknown, cursor_invalid */
export async function listConsoleSales(
  id: string,
  input: MerchantSalesInput,
  locale: Locale,
): Promise<MerchantSaleList> {
  await findMerchantName(id);
  return listMerchantSales({ merchant: { id } }, input, locale);
}
