import { eq, type SQL, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { inboxMarks } from "@/db/schema/staff";
import { audit } from "@/lib/platform/audit";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { AskInput, MarkInput } from "@/lib/staff/inbox/contract";
import { type QueueName, seesQueue } from "@/lib/staff/today/rules";

/** Days for which a mark is kept after its last change; nothing waits that long. */
const MARK_DAYS = 90;

const queueOf = (key: string) => key.slice(0, key.indexOf(":")) as QueueName;
const idOf = (key: string) => key.slice(key.indexOf(":") + 1);

/**
 * Puts a thing of the inbox off, gives it to a colleague or to a role, or takes these marks away.
 * @throws ShopError permission_missing: a queue that the viewer may not see; member_unknown: no such person, or nobody of the
 * role, sees it; order_unknown: nobody asks about it
 */
export async function markItem(viewer: StaffViewer, { key, mark }: MarkInput): Promise<{ key: string }> {
  const queue = queueOf(key);
  if (!seesQueue(viewer.staff.roles, queue)) throw new ShopError("permission_missing");
  return transaction(async (tx) => {
    const isQuestion = queue === "asked";
    if (isQuestion) await requireQuestion(tx, key);
    if (mark.kind === "release") {
      if (!isQuestion) await tx.delete(inboxMarks).where(eq(inboxMarks.key, key));
      else await write(tx, viewer, key, { snoozedUntil: null, assignedTo: null });
    } else if (mark.kind === "snooze")
      await write(tx, viewer, key, { snoozedUntil: sql`shop_now() + make_interval(hours => ${mark.hours})` });
    else if (mark.kind === "assign") {
      await requireMember(
        tx,
        queue,
        sql`m.user_id = ${mark.user_id} and ${isQuestion ? askedOf(key) : sql`true`}`,
      );
      await write(tx, viewer, key, {
        assignedTo: mark.user_id,
        snoozedUntil: null,
        ...(!isQuestion && { handedTo: null }),
      });
    } else {
      const { role, note } = mark;
      await requireMember(tx, queue, sql`${role} = any(m.roles)`, [role]);
      await write(tx, viewer, key, {
        handedTo: role,
        note,
        assignedTo: null,
        snoozedUntil: null,
        markedBy: viewer.userId,
      });
    }
    const detail = {
      kind: mark.kind,
      ...(mark.kind === "hand_over" && { role: mark.role, note: mark.note }),
    };
    await audit({ actor: viewer.userId, action: "inbox.marked", subject: idOf(key), detail }, tx);
    return { key };
  });
}

type Changes = {
  snoozedUntil?: SQL | null;
  assignedTo?: string | null;
  handedTo?: StaffRole | null;
  note?: string;
  markedBy?: string;
};

async function write(tx: Tx, viewer: StaffViewer, key: string, changes: Changes): Promise<void> {
  const values = {
    key,
    id: idOf(key),
    queue: queueOf(key),
    markedBy: viewer.userId,
    at: shopNow,
    ...changes,
  };
  await tx
    .insert(inboxMarks)
    .values(values)
    .onConflictDoUpdate({
      target: inboxMarks.key,
      set: { ...changes, ...("note" in changes && { at: shopNow }) },
    });
}

/** Any other mark may be of something that waits no more; a question is its mark. */
async function requireQuestion(tx: Tx, key: string): Promise<void> {
  const [question] = await tx.execute(sql`select from inbox_marks where key = ${key}`);
  if (!question) throw new ShopError("order_unknown");
}

/** SQL: whether a staff member `m` has the role that a question was put to. */
const askedOf = (key: string) =>
  sql`(select k.handed_to from inbox_marks k where k.key = ${key}) = any(m.roles)`;

/** A thing that is given to somebody who does not see it would be hidden from everyone else. */
async function requireMember(tx: Tx, queue: QueueName, which: SQL, roles?: StaffRole[]): Promise<void> {
  const [member] = await tx.execute<{ roles: StaffRole[] }>(sql`
    select m.roles from staff_members m join users u on u.id = m.user_id
    where m.ended_at is null and u.deleted_at is null and ${which} limit 1`);
  if (!member || !seesQueue(roles ?? member.roles, queue)) throw new ShopError("member_unknown");
}

/**
 * Asks everyone of a role about an order, such as for a gesture above one's limit. A second question replaces the first.
 * @throws ShopError order_unknown; member_unknown: nobody of the role sees it
 */
export async function askAboutOrder(viewer: StaffViewer, orderId: string, { role, note }: AskInput) {
  return transaction(async (tx) => {
    const [order] = await tx.execute<{ id: string }>(
      sql`select id from orders where id = ${orderId} or order_number = ${orderId} limit 1`,
    );
    if (!order) throw new ShopError("order_unknown");
    await requireMember(tx, "asked", sql`${role} = any(m.roles)`, [role]);
    const key = `asked:${order.id}`;
    const question = { handedTo: role, note, assignedTo: null, snoozedUntil: null, markedBy: viewer.userId };
    await write(tx, viewer, key, question);
    await audit(
      { actor: viewer.userId, action: "inbox.asked", subject: order.id, detail: { role, note } },
      tx,
    );
    return { key, order_id: order.id };
  });
}

/**
 * Ends a question about an order, by who asked it or someone of the role that was asked.
 * @throws ShopError order_unknown: nobody asks about it, or somebody else
 */
export async function endQuestion(viewer: StaffViewer, orderId: string): Promise<{ order_id: string }> {
  return transaction(async (tx) => {
    const ended = await tx.execute(sql`
      delete from inbox_marks where key = ${`asked:${orderId}`}
        and (marked_by = ${viewer.userId} or handed_to = any(${sql.param([...viewer.staff.roles])}::text[])) returning 1`);
    if (ended.length === 0) throw new ShopError("order_unknown");
    await audit({ actor: viewer.userId, action: "inbox.answered", subject: orderId }, tx);
    return { order_id: orderId };
  });
}

/** Questions about orders to the viewer's roles, the oldest first. */
export const countQuestions = ({ staff }: StaffViewer): Promise<QueueState> =>
  countQueue(sql`
    select k.at from inbox_marks k where k.queue = 'asked' and k.handed_to = any(${sql.param([...staff.roles])}::text[]) order by k.at`);

/** Deletes the marks of things that waited long ago; questions stay until they are ended. */
export async function deleteOldMarks(): Promise<void> {
  const due = sql`queue <> 'asked' and at < shop_now() - make_interval(days => ${MARK_DAYS})`;
  await deleteInBatches(inboxMarks, due, sql`at`);
}
