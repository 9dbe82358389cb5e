import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { type LowStock, listLowStock } from "@/lib/merchants/key-files/list-low-stock";
import { countOpenRequests } from "@/lib/merchants/requests/count-open-requests";
import type { RequestKind } from "@/lib/merchants/requests/rules";
import { FIRST_STEPS, type FirstStep, type MerchantState } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { QueueState } from "@/lib/platform/console/list";

export type MerchantHome = {
  state: MerchantState;
  /** what staff said when they suspended or closed it */
  stateNote: string | null;
  steps: { step: FirstStep; done: boolean }[];
  /** open requests of each kind */
  requests: Record<RequestKind, QueueState>;
  /** plans whose codes run low; null: it has no product yet */
  low: LowStock[] | null;
};

type Row = { state: MerchantState; stateNote: string | null } & Record<FirstStep, boolean>;

/** What the first page of a merchant's console shows: its state, the first steps as the database knows them, and what waits. */
export async function getHome(viewer: MerchantViewer): Promise<MerchantHome> {
  const { merchant, user, locale } = viewer;
  const { id } = merchant;
  const [row] = await db.execute<Row>(sql`
    select m.state, m.state_note as "stateNote", m.support_email is not null and m.texts ? 'en' as profile,
      exists (select from second_factors f
        where f.user_id = ${user?.userId ?? null} and f.confirmed_at is not null and f.ended_at is null) as factor,
      coalesce((select f.state <> 'incomplete' from merchant_trade_files f where f.merchant_id = m.id), false) as business,
      exists (select from products p where p.merchant_id = m.id)
        or exists (select from product_changes c where c.merchant_id = m.id and c.state <> 'cancelled') as product,
      exists (select from products p join plans pl on pl.product_id = p.id join keys k on k.plan_id = pl.id
        where p.merchant_id = m.id) as keys,
      exists (select from api_tokens t where t.merchant_id = m.id and t.revoked_at is null)
        or (select count(*) from merchant_members mm where mm.merchant_id = m.id and mm.ended_at is null) > 1
        or exists (select from merchant_invites i where i.merchant_id = m.id and i.accepted_at is null and i.revoked_at is null) as help
    from merchants m where m.id = ${id}`);
  const { state, stateNote, ...done } = row!;
  return {
    state,
    stateNote,
    steps: FIRST_STEPS.map((step) => ({ step, done: done[step] })),
    requests: await countOpenRequests(viewer),
    low: done.product ? await listLowStock(viewer, locale) : null,
  };
}
