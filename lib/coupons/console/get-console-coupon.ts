import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { ConsoleCoupon } from "@/lib/coupons/console/contract";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { usdOrNull } from "./list-console-campaigns";

type CouponRow = Pick<
  ConsoleCoupon,
  "coupon_code" | "campaign" | "title" | "state" | "percent" | "customer" | "order_number"
> & {
  amount_cents: number | null;
  max_discount_cents: number | null;
  minimum_cents: number;
  created_at: string;
  expires_at: string | null;
  used_at: string | null;
};

/** A coupon by its code. @throws ShopError coupon_unknown */
export async function getConsoleCoupon(
  code: string,
  locale: Locale,
  within: Db = db,
): Promise<ConsoleCoupon> {
  const [row] = await within.execute<CouponRow>(sql`
    select c.code as coupon_code, c.campaign_id as campaign, g.title->>${locale} as title, c.state, c.amount_cents, c.percent,
      c.max_discount_cents, c.minimum_cents, c.created_at, c.expires_at, c.used_at,
      (select json_build_object('customer_id', u.id, 'email', u.email) from users u where u.id = c.user_id) as customer,
      o.order_number
    from coupons c join campaigns g on g.id = c.campaign_id left join orders o on o.id = c.order_id where c.code = ${code}`);
  if (!row) throw new ShopError("coupon_unknown");
  const { amount_cents, max_discount_cents, minimum_cents, ...rest } = row;
  return {
    ...rest,
    amount: usdOrNull(amount_cents),
    max_discount: usdOrNull(max_discount_cents),
    minimum: toDecimal(minimum_cents),
    created_at: instant(row.created_at),
    expires_at: instant(row.expires_at),
    used_at: instant(row.used_at),
  };
}
