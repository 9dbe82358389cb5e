import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { keys, replacementRequests, unjournaledKeys } from "@/db/schema/delivery";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { hasJournal } from "@/lib/delivery/journal/read-journal";
import {
  frozenLineSql,
  GIFT_UNTIL_SQL,
  mailsCodesSql,
  warnedSql,
} from "@/lib/delivery/library/key-state-sql";
import { recordKeyEvents } from "@/lib/delivery/record-key-events";
import type { ReplacementState } from "@/lib/delivery/rules";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import { requireShownRow, type Shown } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { replacementVersionSql } from "./replacement-version-sql";

/**
 * `no_stock`: no available code. `locked`: refunded, or a refund is requested. `own`: the decider requested it, or owns
 * the code or its order. `already`: decided before.
 */
export type ReplacementResult =
  | { outcome: "decided"; state: ReplacementState; newKeyId?: string }
  | { outcome: "already"; state: ReplacementState }
  | { outcome: "no_stock" | "locked" | "own" };

const REFUSALS = {
  no_stock: "replacement_no_stock",
  locked: "replacement_locked",
  own: "own_replacement",
} as const;

/**
 * What a call decided; what it did not decide is an error.
 * @throws ShopError replacement_unknown, replacement_decided, replacement_no_stock, replacement_locked, own_replacement
 */
export function requireDecided(result: ReplacementResult | null): { newKeyId: string | null } {
  if (!result) throw new ShopError("replacement_unknown");
  if (!("state" in result)) throw new ShopError(REFUSALS[result.outcome]);
  if (result.outcome === "already") throw new ShopError("replacement_decided");
  return { newKeyId: result.newKeyId ?? null };
}

type RequestRow = {
  state: ReplacementState;
  /** Who asked, and whose code and order it is; none of them decides. */
  people: string[];
  keyId: string;
  slot: number;
  lineId: string;
  planId: number;
  mailsCodes: boolean;
  locked: boolean;
  orderId: string;
  /** The owner's address and language. */
  to: string;
  locale: Locale;
  /** The owner claimed the code as a gift. */
  claimed: boolean;
};

/** Locks order, then key, in the same order as a refund. Null when there is no such request. */
async function lockRequest(tx: Tx, requestId: string): Promise<RequestRow | null> {
  await tx.execute(sql`
    select 1 from orders where id = (select l.order_id from replacement_requests r join keys k on k.id = r.key_id
      join order_lines l on l.id = k.order_line_id where r.id = ${requestId}) for update`);
  await tx.execute(sql`
    select 1 from keys where id = (select key_id from replacement_requests where id = ${requestId}) for update`);
  const [request] = await tx.execute<RequestRow>(sql`
    select r.state, array_remove(array[r.user_id, r.asked_by, o.user_id], null) as people, k.id as "keyId", k.slot, l.id as "lineId", l.plan_id as "planId", ${mailsCodesSql("l")} as "mailsCodes",
      k.state <> 'assigned' or ${frozenLineSql("l")} or ${warnedSql("o.id")} as locked, o.id as "orderId", claimed.id is not null as claimed,
      coalesce(u.email, o.send_email) as "to", coalesce(u.locale, o.locale) as locale
    from replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id left join gifts claimed on claimed.order_id = o.id and claimed.state = 'claimed'
    left join users u on u.id = claimed.claimed_by where r.id = ${requestId}`);
  return request ?? null;
}

/** The recipient of an email about the code. One about a claimed gift does not name its giver's order. */
const toOwner = ({ to, locale, orderId, claimed }: RequestRow) => ({
  to,
  locale,
  orderId: claimed ? undefined : orderId,
});

/**
 * Approves a replacement: revokes the old code and assigns an available one of the same plan, which is mailed or stays
 * unrevealed like the line's other codes. Null when there is no such request. `shown`: in the console, the state that
 * was shown.
 * @throws ShopError revision_conflict
 */
export async function approveReplacement(
  requestId: string,
  staffId: string,
  shown?: Shown,
): Promise<ReplacementResult | null> {
  return transaction(async (tx) => {
    const request = await lockRequest(tx, requestId);
    if (!request) return null;
    if (request.state !== "asked") return { outcome: "already", state: request.state };
    if (request.people.includes(staffId)) return { outcome: "own" };
    if (request.locked) return { outcome: "locked" };
    if (shown) await requireShownRequest(tx, shown, requestId);
    const newKeyId = await lockSellableKey(tx, request);
    if (!newKeyId) return { outcome: "no_stock" };
    await swapKeys(tx, request, newKeyId, staffId);
    await tx
      .update(replacementRequests)
      .set({ state: "approved", newKeyId, decidedAt: shopNow, decidedBy: staffId })
      .where(eq(replacementRequests.id, requestId));
    await queueMail(tx, {
      event: "keys",
      ...toOwner(request),
      refs:
        request.mailsCodes && !request.claimed
          ? { orderId: request.orderId, keyIds: newKeyId }
          : { orderId: request.orderId, keyIds: "", kept: newKeyId, ...(request.claimed && { claimed: 1 }) },
      dedupeKey: `keys:${request.orderId}:${newKeyId}`, // the same name as every first delivery email, which refunds look for
    });
    const detail = { requestId, oldKeyId: request.keyId, newKeyId };
    await audit({ actor: staffId, action: "replacement_approved", subject: request.orderId, detail }, tx);
    return { outcome: "decided", state: "approved", newKeyId };
  });
}

/** Locks the key that a line would be sold next, skipping locked rows. */
async function lockSellableKey(
  tx: Tx,
  { planId, lineId }: Pick<RequestRow, "planId" | "lineId">,
): Promise<string | undefined> {
  const [key] = await tx.execute<{ id: string }>(sql`
    select k.id from keys k where k.plan_id = ${planId} and ${sql.raw(SELLABLE_KEY)}
      and (k.sell_by is null or k.sell_by > coalesce((${sql.raw(GIFT_UNTIL_SQL)} ${lineId}), '-infinity'))
    order by k.redeem_by nulls last, k.created_at, k.id limit 1 for update skip locked`);
  return key?.id;
}

/** Revokes the old key first, because a unit has one active key. Both stay linked to the line. */
async function swapKeys(
  tx: Tx,
  { keyId, lineId, slot, orderId }: RequestRow,
  newKeyId: string,
  staffId: string,
) {
  await tx.update(keys).set({ state: "revoked" }).where(eq(keys.id, keyId));
  await recordKeyEvents(tx, [keyId], "revoked", staffId);
  await tx
    .update(keys)
    .set({ state: "reserved", orderLineId: lineId, slot, reservedAt: shopNow })
    .where(eq(keys.id, newKeyId));
  await recordKeyEvents(tx, [newKeyId], "reserved", staffId);
  await tx.update(keys).set({ state: "assigned", assignedAt: shopNow }).where(eq(keys.id, newKeyId));
  await recordKeyEvents(tx, [newKeyId], "assigned", staffId);
  if (hasJournal()) await tx.insert(unjournaledKeys).values({ keyId: newKeyId, orderId });
}

/** @throws ShopError revision_conflict: a locked request is not as it was shown */
const requireShownRequest = (tx: Tx, seen: Shown, requestId: string) =>
  requireShownRow(tx, seen, {
    version: seen.sql ?? replacementVersionSql("r"),
    from: sql`replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
      where r.id = ${requestId}`,
  });

/**
 * Refuses a replacement and mails the reason. Null when there is no such request.
 * @throws ShopError revision_conflict
 */
export async function refuseReplacement(
  requestId: string,
  staffId: string,
  note: string,
  shown?: Shown,
): Promise<ReplacementResult | null> {
  return transaction(async (tx) => {
    const request = await lockRequest(tx, requestId);
    if (!request) return null;
    if (request.state !== "asked") return { outcome: "already", state: request.state };
    if (request.people.includes(staffId)) return { outcome: "own" };
    if (shown) await requireShownRequest(tx, shown, requestId);
    await tx
      .update(replacementRequests)
      .set({ state: "refused", decidedAt: shopNow, decidedBy: staffId })
      .where(eq(replacementRequests.id, requestId));
    await queueMail(tx, {
      event: "replacement-refused",
      ...toOwner(request),
      refs: { requestId, note },
      dedupeKey: `replacement-refused:${requestId}`,
    });
    const detail = { requestId, keyId: request.keyId, note };
    await audit({ actor: staffId, action: "replacement_refused", subject: request.orderId, detail }, tx);
    return { outcome: "decided", state: "refused" };
  });
}
