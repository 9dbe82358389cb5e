import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { mayStaff, type StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { rowCount } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { InboxInput, InboxItem, InboxView } from "@/lib/staff/inbox/contract";
import { INBOX_SHOWN, urgencyOf } from "@/lib/staff/inbox/rules";
import { SOURCES } from "@/lib/staff/inbox/sources";
import { QUEUES, type QueueName, seesQueue } from "@/lib/staff/today/rules";

type Mark = {
  key: string;
  snoozed_until: string | null;
  user_id: string | null;
  assigned_to: string | null;
  handed_to: StaffRole | null;
  note: string | null;
  marked_by: string | null;
  /** the roles that the assigned person has now; null: is no staff member */
  roles: StaffRole[] | null;
  /** somebody has the role that it was handed to */
  role_held: boolean;
};
type ShownMark = Omit<Mark, "key" | "roles" | "role_held">;

/** Whose move it is: not the viewer's while it is put off, somebody else's, or waits for a role that the viewer lacks. */
function isLater(
  { queue, snoozed_until, assigned_to, mine, handed_to }: InboxItem,
  viewer: StaffViewer,
  now: number,
) {
  if (snoozed_until && Date.parse(snoozed_until) > now) return true;
  if (assigned_to && !mine) return true;
  if (mine && queue !== "asked") return false;
  return handed_to !== null && !viewer.staff.roles.includes(handed_to);
}

/** What still counts of a mark: a person or role that cannot see the thing now would hide it from everyone else. */
function toShown({ key: _, roles, role_held: isHeld, ...mark }: Mark, queue: QueueName): ShownMark {
  const { handed_to } = mark;
  const toRole = handed_to !== null && isHeld && seesQueue([handed_to], queue);
  const isAsked = queue === "asked" && handed_to !== null;
  const toPerson = roles !== null && seesQueue(roles, queue) && (!isAsked || roles.includes(handed_to));
  return {
    ...mark,
    ...(!toRole && { handed_to: null }),
    ...(!toPerson && { user_id: null, assigned_to: null }),
  };
}

/**
 * Everything that waits for the staff member, the most urgent first (docs/product.md#136-today-and-the-menu). Each statement reads an
 * index to a limit.
 */
export async function listInbox(
  viewer: StaffViewer,
  { view }: InboxInput,
  locale: Locale,
): Promise<InboxView> {
  const queues = QUEUES.filter(({ permission }) => mayStaff(viewer.staff.roles, permission));
  const found = await Promise.all(
    queues.map(async ({ name }) =>
      (await SOURCES[name](viewer, locale)).map((waiting) => ({ queue: name, ...waiting })),
    ),
  );
  const waiting = found.flat().map((one) => ({ ...one, key: `${one.queue}:${one.id}` }));
  const marks = await readMarks(waiting.map(({ key }) => key));
  const [clock] = await db.execute<{ now: string }>(sql`select shop_now() as now`);
  const now = Date.parse(clock!.now);
  const items = waiting
    .map(({ id: _, cents, due, ...one }) => {
      const kept = marks.get(one.key);
      const { user_id, ...mark } = kept ? toShown(kept, one.queue) : NO_MARK;
      const since = instant(one.since);
      const item: InboxItem = {
        ...one,
        since,
        due_at: instant(due),
        amount: cents === null ? null : toDecimal(cents),
        ...mark,
        snoozed_until: instant(mark.snoozed_until),
        mine: user_id === viewer.userId,
      };
      return { item, urgency: urgencyOf({ kind: one.queue, dueAt: item.due_at, since, cents }, now) };
    })
    .sort((a, b) => b.urgency - a.urgency)
    .map(({ item }) => item);
  const later = items.filter((item) => isLater(item, viewer, now));
  const shown = view === "later" ? later : items.filter((item) => !later.includes(item));
  return {
    items: shown.slice(0, INBOX_SHOWN),
    more: shown.length > INBOX_SHOWN,
    others: items.length - shown.length,
    people: await listPeople(),
  };
}

const NO_MARK: ShownMark = {
  snoozed_until: null,
  user_id: null,
  assigned_to: null,
  handed_to: null,
  note: null,
  marked_by: null,
};

async function readMarks(keys: readonly string[]): Promise<Map<string, Mark>> {
  const rows = await db.execute<Mark>(sql`
    select m.key, m.snoozed_until, m.assigned_to as user_id, m.handed_to, m.note,
      (select u.email from users u where u.id = m.assigned_to) as assigned_to,
      (select u.email from users u where u.id = m.marked_by) as marked_by,
      (select s.roles from staff_members s join users u on u.id = s.user_id
        where s.user_id = m.assigned_to and s.ended_at is null and u.deleted_at is null) as roles,
      exists (select from staff_members s where s.ended_at is null and m.handed_to = any(s.roles)) as role_held
    from inbox_marks m where m.key = any(${sql.param([...keys])}::text[])`);
  return new Map(rows.map((mark) => [mark.key, mark]));
}

/** Staff members that a thing can be given to. */
async function listPeople(): Promise<InboxView["people"]> {
  const rows = await db.execute<InboxView["people"][number]>(sql`
    select m.user_id, m.roles, (select u.email from users u where u.id = m.user_id and u.deleted_at is null) as email
    from staff_members m where m.ended_at is null order by 3 limit ${rowCount(200)}`);
  return rows.filter(({ email }) => email !== null);
}
