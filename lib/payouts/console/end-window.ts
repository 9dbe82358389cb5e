import { sql } from "drizzle-orm";
import { listDb, transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { WindowSale } from "./contract";

/** Whether this is a shop in which time can be shortened: the demo, with invented payments. */
export const isSandbox = (): boolean => env().APP_MODE === "demo" && env().PAYMENT_MODE === "sandbox";

type SaleRow = Omit<WindowSale, "amount"> & { cents: number };

/** The newest 100 sales whose window has not ended; null: it is no sandbox. */
export async function listWindowSales(locale: Locale): Promise<WindowSale[] | null> {
  if (!isSandbox()) return null;
  const rows = await listDb.execute<SaleRow>(sql`
    select s.line_id as sale_id, m.name as merchant_name, coalesce(l.name, translate_product_text(t.name, ${locale})) as product_name,
      s.booked_cents - s.paid_out_cents as cents, s.available_at as until
    from (select * from merchant_sales where available_at > shop_now() and booked_cents > paid_out_cents order by sold_at desc, line_id limit 100) s
    join merchants m on m.id = s.merchant_id join product_texts t on t.product_id = s.product_id and t.locale = 'en'
    left join product_texts l on l.product_id = s.product_id and l.locale = ${locale} order by s.sold_at desc, s.line_id`);
  return rows.map(({ cents, ...row }) => ({ ...row, until: instant(row.until), amount: toDecimal(cents) }));
}

/**
 * In the sandbox: a sale can be paid out from now on. No clock moves.
 * @throws ShopError call_unknown: it is no sandbox; sale_unknown
 */
export async function endWindow({ userId }: StaffViewer, saleId: string): Promise<{ sale_id: string }> {
  if (!isSandbox()) throw new ShopError("call_unknown");
  return transaction(async (tx) => {
    const [sale] = await tx.execute<{ availableAt: string }>(sql`
      select available_at as "availableAt" from merchant_sales where line_id = ${saleId} for update`);
    if (!sale) throw new ShopError("sale_unknown");
    await tx.execute(sql`
      update merchant_sales set available_at = least(available_at, shop_now()) where line_id = ${saleId}`);
    const detail = { before: instant(sale.availableAt) };
    await audit({ actor: userId, action: "sale.window_ended", subject: saleId, detail }, tx);
    return { sale_id: saleId };
  });
}

/**
 * In the sandbox: the account of a merchant that waits counts from now on.
 * @throws ShopError call_unknown: it is no sandbox; payout_account_unknown: none waits
 */
export async function endAccountWait(
  { userId }: StaffViewer,
  merchantId: string,
): Promise<{ merchant_id: string }> {
  if (!isSandbox()) throw new ShopError("call_unknown");
  return transaction(async (tx) => {
    const ended = await tx.execute<{ id: string }>(sql`
      update payout_accounts set counts_from = shop_now()
      where merchant_id = ${merchantId} and cancelled_at is null and counts_from > shop_now() returning id`);
    if (!ended[0]) throw new ShopError("payout_account_unknown");
    const detail = { account_id: ended[0].id };
    await audit({ actor: userId, action: "merchant.account_wait_ended", subject: merchantId, detail }, tx);
    return { merchant_id: merchantId };
  });
}
