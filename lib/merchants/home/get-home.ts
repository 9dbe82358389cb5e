import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { type LowStock, listLowStock } from "@/lib/merchants/key-files/list-low-stock";
import type { MerchantReview } from "@/lib/merchants/replies/contract";
import { listMerchantReviews } from "@/lib/merchants/replies/list-merchant-reviews";
import type { MerchantRequest } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/list-merchant-requests";
import { REQUEST_KINDS } from "@/lib/merchants/requests/rules";
import { FIRST_STEPS, type FirstStep, type MerchantState } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";

/** Requests and reviews that the page shows. */
const SHOWN = 3;
/** Requests without a deadline are sorted as if it were this many hours after they were made. */
const PATIENCE_HOURS = 48;

export type MerchantHome = {
  state: MerchantState;
  /** what staff said when they suspended or closed it */
  stateNote: string | null;
  steps: { step: FirstStep; done: boolean }[];
  /** open requests, those with the least time left first, and how many there are in all */
  requests: { nearest: MerchantRequest[]; count: number };
  /** plans whose codes run low; null: it has no product yet */
  low: LowStock[] | null;
  reviews: MerchantReview[];
};

type Row = { state: MerchantState; stateNote: string | null } & Record<FirstStep, boolean>;

/**
 * What the first page of a merchant's console shows besides its money: its state, which first steps are done, open
 * requests, and the newest reviews (docs/product.md#142-becoming-a-merchant).
 */
export async function getHome(viewer: MerchantViewer): Promise<MerchantHome> {
  const { merchant, user, locale } = viewer;
  const { id } = merchant;
  const [row] = await db.execute<Row>(sql`
    select m.state, m.state_note as "stateNote", m.support_email is not null and m.texts ? 'en' as profile,
      exists (select from second_factors f
        where f.user_id = ${user?.userId ?? null} and f.confirmed_at is not null and f.ended_at is null) as factor,
      coalesce((select f.state <> 'incomplete' from merchant_trade_files f where f.merchant_id = m.id), false) as business,
      exists (select from payout_accounts a where a.merchant_id = m.id and a.cancelled_at is null) as account,
      exists (select from products p where p.merchant_id = m.id)
        or exists (select from product_changes c where c.merchant_id = m.id and c.state <> 'cancelled') as product,
      exists (select from products p join plans pl on pl.product_id = p.id join keys k on k.plan_id = pl.id
        where p.merchant_id = m.id) as keys,
      exists (select from api_tokens t where t.merchant_id = m.id and t.revoked_at is null)
        or (select count(*) from merchant_members mm where mm.merchant_id = m.id and mm.ended_at is null) > 1
        or exists (select from merchant_invites i where i.merchant_id = m.id and i.accepted_at is null and i.revoked_at is null) as help
    from merchants m where m.id = ${id}`);
  const { state, stateNote, ...done } = row!;
  const [requests, reviews, low] = await Promise.all([
    readRequests(viewer),
    listMerchantReviews(viewer, { cursor: undefined, sort: undefined }, locale),
    done.product ? listLowStock(viewer, locale) : null,
  ]);
  return {
    state,
    stateNote,
    steps: FIRST_STEPS.map((step) => ({ step, done: done[step] })),
    requests,
    low,
    reviews: reviews.items.slice(0, SHOWN),
  };
}

async function readRequests(viewer: MerchantViewer): Promise<MerchantHome["requests"]> {
  const lists = await Promise.all(
    REQUEST_KINDS.map((kind) =>
      listMerchantRequests(viewer, { kind, state: "open", cursor: undefined }, viewer.locale),
    ),
  );
  const dueAt = ({ answer_by, asked_at }: MerchantRequest) =>
    answer_by ? Date.parse(answer_by) : Date.parse(asked_at) + PATIENCE_HOURS * 3_600_000;
  const nearest = lists.flatMap(({ items }) => items).sort((a, b) => dueAt(a) - dueAt(b));
  return { nearest: nearest.slice(0, SHOWN), count: lists.reduce((sum, { total }) => sum + total, 0) };
}
