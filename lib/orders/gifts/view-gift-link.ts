import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { productImagePath } from "@/lib/catalog/rules";
import { warnedSql } from "@/lib/delivery/library/key-state-sql";
import { disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import type { Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { GiftLinkView } from "./contract";
import { giftTokenHash } from "./gift-token";
import type { GiftLinkState, GiftState } from "./rules";

type LinkRow = {
  orderId: string;
  state: GiftState;
  /** the time to claim it has passed */
  ended: boolean;
  claimedBy: string | null;
  claimedAt: string | null;
  claimUntil: string | null;
  message: string;
  fromName: string | null;
  disputed: boolean;
  /** codes that are left to give */
  codes: number;
};

/** The gift of a valid link; null for an unknown token, also for one that a newer link has replaced. */
export async function findGiftLink(tx: Db, token: string): Promise<LinkRow | null> {
  const [row] = await tx.execute<LinkRow>(sql`
    select g.order_id as "orderId", g.state, coalesce(g.claim_until <= shop_now(), false) as ended, g.claimed_by as "claimedBy",
      g.claimed_at as "claimedAt", g.claim_until as "claimUntil", g.message, case when o.total_cents > 0 then g.from_name end as "fromName", coalesce(${disputeStateSql("o")} = 'open', false) or (g.state = 'sent' and ${warnedSql("o.id")}) as disputed,
      (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id
        where l.order_id = o.id and k.state = 'assigned') as codes
    from gifts g join orders o on o.id = g.order_id where g.token_hash = ${giftTokenHash(token)}`);
  return row ?? null;
}

/** What the link of a gift leads to. A returned gift says no more about its order. */
export function giftLinkState({ state, ended, disputed, codes }: LinkRow): GiftLinkState {
  if (state === "returned" || (state === "sent" && ended)) return "returned";
  if (disputed) return "disputed";
  if (codes === 0) return "refunded";
  return state === "claimed" ? "claimed" : "open";
}

type PassRow = Omit<GiftLinkView["passes"][number], "vip_type" | "product_image" | "language"> & {
  product_id: number;
  image: string;
  translated: boolean;
};

/**
 * What the link of a gift shows (`/gift/view`, docs/product.md#819-gifts); null for an invalid link. Passes and message
 * are shown while the gift is open, and to the account that claimed it.
 */
export async function viewGiftLink(
  viewer: Viewer,
  token: string,
  locale: Locale,
): Promise<GiftLinkView | null> {
  const gift = await findGiftLink(db, token);
  if (!gift) return null;
  const state = giftLinkState(gift);
  const yours = viewer.kind === "user" && gift.claimedBy === viewer.userId;
  const isShown = state === "open" || yours;
  const isDated = state === "open" || state === "disputed";
  return {
    state,
    yours,
    message: isShown ? gift.message : "",
    from_name: isShown ? (gift.fromName ?? "") : "",
    claim_until: isDated && gift.state === "sent" ? instant(gift.claimUntil) : null,
    passes: isShown ? await listGiftPasses(gift.orderId, locale) : [],
  };
}

/**
 * Like `viewGiftLink`, for API calls.
 * @throws ShopError gift_link_invalid
 */
export async function getGiftLink(viewer: Viewer, token: string, locale: Locale): Promise<GiftLinkView> {
  const gift = await viewGiftLink(viewer, token, locale);
  if (!gift) throw new ShopError("gift_link_invalid");
  return gift;
}

async function listGiftPasses(orderId: string, locale: Locale): Promise<GiftLinkView["passes"]> {
  const rows = await db.execute<PassRow>(sql`
    select p.id as product_id, p.slug, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, p.image, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated,
      p.vendor as maker, l.pass_type, l.duration_days, left_keys.count as quantity
    from order_lines l join products p on p.id = l.product_id
    cross join lateral (select count(*)::int as count from keys k where k.order_line_id = l.id and k.state = 'assigned') left_keys
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where l.order_id = ${orderId} and left_keys.count > 0 order by l.position`);
  return rows.map(({ product_id, image, translated, ...row }) => ({
    ...row,
    vip_type: passLabel(row, locale),
    product_image: productImagePath(product_id, image),
    language: translated ? locale : "en",
  }));
}
