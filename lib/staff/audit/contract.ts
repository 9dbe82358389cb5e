import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { Actor } from "@/lib/platform/console/actor";
import { Cursor, listOf, NewestFirst } from "@/lib/platform/console/list";

/** GET /admin/audit: newest first. Roles that see only their own entries get those. */
export const AuditInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  /** an address of a staff member or user, or an actor as it stands in the log: `system`, `staff:root` */
  actor: z.string().trim().min(1).max(254).optional(),
  /** an action, or its beginning: `approval`, `staff.granted` */
  action: z.string().trim().min(1).max(80).optional(),
  /** exactly what the entry is about: an id, an order's number, an account's address or name, a merchant's handle */
  subject: z.string().trim().min(1).max(254).optional(),
});
export type AuditInput = z.output<typeof AuditInput>;

export const AuditEntryView = z.object({
  entry_id: z.int(),
  at: Instant,
  /** an address, `system`, `guest`, or `staff:` and an operating system user */
  actor: z.string(),
  /** the same with id and name */
  by: Actor,
  action: z.string(),
  subject: z.string(),
  /** the address of a subject that is an account, the number of an order, the code of a coupon; else null */
  subject_name: z.string().nullable(),
  /** `before` and `after` of a change, and more; never a secret */
  detail: z.record(z.string(), z.unknown()).nullable(),
  /** the addresses of accounts and the numbers of orders that `detail` names by their ids */
  names: z.record(z.string(), z.string()),
  /** the position in the chain; null: not sealed yet */
  position: z.int().nullable(),
});
export type AuditEntryView = z.output<typeof AuditEntryView>;

export const AuditList = listOf(AuditEntryView).extend({
  /** the newest seal; null: nothing is sealed */
  chain: z.object({ position: z.int(), sealed_at: Instant, waiting: z.int() }).nullable(),
});
export type AuditList = z.output<typeof AuditList>;
