import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { productImagePath } from "@/lib/catalog/rules";
import { type DisputeState, disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import type { OrderStatus } from "@/lib/orders/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { GivenGift } from "./contract";
import { type GiftJson, selectGift, toGiftView } from "./find-gift";

type GivenRow = Pick<GivenGift, "order_id" | "order_number" | "product_name" | "duration_days" | "more"> & {
  product_id: number;
  image: string;
  translated: boolean;
  status: OrderStatus;
  gift: GiftJson;
  dispute: DisputeState | null;
};

/** A gift stays in its giver's library this long after it was claimed. */
const GIVEN_DAYS = 30;

/** The viewer's paid gifts that wait for their recipients, or were claimed in the last 30 days; at most 100. */
export async function listGivenGifts(viewer: { userId: string }, locale: Locale): Promise<GivenGift[]> {
  const rows = await db.execute<GivenRow>(sql`
    select o.id as order_id, o.order_number, o.status, ${selectGift()} as gift, ${disputeStateSql("o")} as dispute,
      first_line.name as product_name, first_line.product_id, first_line.image, first_line.duration_days, first_line.translated, (select count(*)::int - 1 from order_lines where order_id = o.id) as more
    from gifts given join orders o on o.id = given.order_id cross join lateral (
      select l.product_id, p.image, l.duration_days, coalesce(t.name, translate_product_text(e.name, ${locale})) as name, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated from order_lines l
      join products p on p.id = l.product_id
      left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
      left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
      where l.order_id = o.id order by l.position limit 1) first_line
    where o.user_id = ${viewer.userId} and o.status in ('paid', 'processing', 'shipped', 'completed')
      and (given.state in ('scheduled', 'sent')
        or (given.state = 'claimed' and given.claimed_at > shop_now() - make_interval(days => ${GIVEN_DAYS})))
    order by given.deliver_on, o.id limit 100`);
  return rows.map(({ gift, translated, dispute, product_id, image, ...row }) => ({
    ...row,
    product_image: productImagePath(product_id, image),
    language: translated ? locale : "en",
    dispute_open: dispute === "open",
    dispute_lost: dispute === "lost",
    gift: toGiftView(gift, { status: row.status, disputed: dispute !== null }),
  }));
}
