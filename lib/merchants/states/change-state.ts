import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantInvites } from "@/db/schema/merchants";
import { type MerchantState, mayChangeState, STATE_CHANGES, type StateChange } from "@/lib/merchants/rules";
import { wantsNoticeSql } from "@/lib/notifications/list-merchant-recipients";
import { type MailRefs, queueMails } from "@/lib/notifications/queue-mail";
import type { MailEvent, MerchantNotice } from "@/lib/notifications/rules";
import { audit } from "@/lib/platform/audit";
import { versionSql } from "@/lib/platform/console/query";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

/** SQL: the version of a merchant `m`, on which staff base their decision. */
export const MERCHANT_VERSION = versionSql(sql`m.id, m.name, m.state, m.state_at, m.trust`);

export type LockedMerchant = typeof merchants.$inferSelect;

/** Locks a merchant, so that changes of it, its team and its invitations run one after the other. Null: there is none. */
export async function lockMerchant(tx: Tx, id: string): Promise<LockedMerchant | null> {
  const [merchant] = await tx.select().from(merchants).where(eq(merchants.id, id)).for("no key update");
  return merchant ?? null;
}

/** Who changes a merchant's state: `note` is staff's message to its owners. */
type Change = { actor: string; note?: string; detail?: Record<string, unknown> };

/**
 * Changes the state of a locked merchant; its products follow (db/functions/block_merchant_products.sql). What staff do to it
 * is mailed to its owners.
 * @throws ShopError merchant_state: the present state does not lead there
 */
export async function changeState(
  tx: Tx,
  merchant: LockedMerchant,
  change: StateChange,
  { actor, note, detail }: Change,
): Promise<MerchantState> {
  if (!mayChangeState(merchant.state, change)) throw new ShopError("merchant_state");
  const state = STATE_CHANGES[change].to;
  await tx
    .update(merchants)
    .set({ state, stateNote: note ?? null, stateAt: shopNow })
    .where(eq(merchants.id, merchant.id));
  if (state === "ended")
    await tx
      .update(merchantInvites)
      .set({ revokedAt: shopNow })
      .where(
        and(
          eq(merchantInvites.merchantId, merchant.id),
          isNull(merchantInvites.acceptedAt),
          isNull(merchantInvites.revokedAt),
        ),
      );
  const [counted] = await tx.execute<{ products: number }>(
    sql`select count(*)::int as products from products where merchant_id = ${merchant.id} and published`,
  );
  await audit(
    {
      actor,
      action: `merchant.${change}`,
      subject: merchant.id,
      detail: {
        before: merchant.state,
        after: state,
        products: counted!.products,
        ...(note && { note }),
        ...detail,
      },
    },
    tx,
  );
  return state;
}

type OwnerMail = { event: MailEvent; refs: MailRefs; about?: string };

/**
 * Mails the owners of a merchant, or with `notice` its people who chose it, each in their language. Sends one email per
 * call, or with `about` one per subject, even if called again.
 */
export const mailOwners = (
  tx: Tx,
  merchantId: string,
  { notice, ...mail }: OwnerMail & { notice?: MerchantNotice },
): Promise<void> => mailOwnersOf(tx, [{ merchantId, ...mail }], notice);

/** As `mailOwners`, of many merchants with two statements. */
export async function mailOwnersOf(
  tx: Tx,
  mails: readonly (OwnerMail & { merchantId: string })[],
  notice?: MerchantNotice,
): Promise<void> {
  const merchantIds = sql.param(mails.map(({ merchantId }) => merchantId));
  type Owner = { merchantId: string; id: string; email: string; locale: string };
  const owners = await tx.execute<Owner>(sql`
    select b.merchant_id as "merchantId", u.id, u.email, u.locale from merchant_members b join users u on u.id = b.user_id
    where b.merchant_id = any(${merchantIds}::text[]) and ${notice ? wantsNoticeSql(notice) : sql`b.role = 'owner'`}
      and b.ended_at is null and u.deleted_at is null order by b.merchant_id, b.id`);
  const queued = mails.flatMap(({ merchantId, event, refs, about = newId("ntc") }) =>
    owners
      .filter((owner) => owner.merchantId === merchantId)
      .map(({ id, email, locale }) => ({
        event,
        to: email,
        locale,
        refs,
        dedupeKey: `${event}:${about}:${id}`,
      })),
  );
  if (queued.length > 0) await queueMails(tx, queued);
}

/** Mails the owners that their merchant's state was changed. */
export const notifyOwners = (
  tx: Tx,
  { id }: Pick<LockedMerchant, "id">,
  state: MerchantState,
  note: string,
): Promise<void> => mailOwners(tx, id, { event: "merchant-notice", refs: { merchantId: id, state, note } });
