import { z } from "zod";
import { ContentLanguage, Instant, IntParam, Usd } from "@/lib/platform/api/fields";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { SNOOZE_HOURS } from "@/lib/staff/inbox/rules";
import { QUEUE_NAMES } from "@/lib/staff/today/rules";

/** The name of a thing in the inbox: its queue and its id. */
export const InboxKey = z
  .string()
  .max(320)
  .regex(new RegExp(`^(?:${QUEUE_NAMES.join("|")}):.{1,255}$`))
  .meta({ example: "stuck:ord_1" });

/** GET /admin/inbox. `later`: what was put off, is somebody else's, or waits for another role. */
export const InboxInput = z.object({ view: z.enum(["open", "later"]).default("open") });
export type InboxInput = z.output<typeof InboxInput>;

export const INBOX_REASONS = [
  "merchant_silent",
  "country",
  "code_refused",
  "no_code",
  "evidence",
  "second_person",
  "name",
  "to_check",
  "codes_of_others",
  "shop_paid",
  "people_wait",
  "no_order",
  "not_proved",
  "codes_seen",
  "above_cost",
  "objection",
] as const;

export const InboxItem = z.object({
  key: z.string(),
  queue: z.enum(QUEUE_NAMES),
  /** where it is decided */
  path: z.string(),
  /** null: it has no deadline */
  due_at: Instant.nullable(),
  since: Instant,
  amount: Usd.nullable(),
  /** what it is about: a pass, an order, an address */
  subject: z.string(),
  who: z.string().nullable(),
  reason: z.enum(INBOX_REASONS).nullable(),
  /** words of a person or a machine */
  text: z.string().nullable(),
  /** of people (`reason` people_wait), or of fields (to_check) */
  count: z.int().nullable(),
  snoozed_until: Instant.nullable(),
  /** the address of who takes care of it */
  assigned_to: z.string().nullable(),
  mine: z.boolean(),
  handed_to: z.enum(STAFF_ROLES).nullable(),
  /** of who handed it over, with their address */
  note: z.string().nullable(),
  marked_by: z.string().nullable(),
});
export type InboxItem = z.output<typeof InboxItem>;

export const InboxView = z.object({
  /** the most urgent 100, first the most urgent */
  items: z.array(InboxItem),
  /** there are more */
  more: z.boolean(),
  /** how many are in the other view */
  others: z.int(),
  /** who can take care of something */
  people: z.array(z.object({ user_id: z.string(), email: z.string(), roles: z.array(z.enum(STAFF_ROLES)) })),
});
export type InboxView = z.output<typeof InboxView>;

/** GET /admin/inbox/record */
export const InboxRecordInput = z.object({ key: InboxKey });

/** One thing with what decides about it. */
export const InboxRecord = z.object({
  key: z.string(),
  queue: z.enum(QUEUE_NAMES),
  facts: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["text", "time", "money", "count", "link"]),
      value: z.string(),
      path: z.string().nullable(),
    }),
  ),
  /** words of a person, without codes */
  quote: z.string().nullable(),
  /** the calls that decide, with the version that was read; `note`: the field of their reason */
  actions: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      body: z.record(z.string(), z.union([z.string(), z.boolean()])),
      note: z.object({ field: z.string(), required: z.boolean() }).nullable(),
      danger: z.boolean(),
      /** the call takes `preview` and answers its effects */
      preview: z.boolean(),
    }),
  ),
  blocked_by: z.string().nullable(),
  /** the language of the person who reads a refusal's reason; null: staff */
  reader: ContentLanguage.nullable(),
});
export type InboxRecord = z.output<typeof InboxRecord>;

/** POST /admin/inbox/mark */
export const MarkInput = z.object({
  key: InboxKey,
  mark: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("snooze"), hours: IntParam.pipe(z.literal([...SNOOZE_HOURS])) }),
    z.object({ kind: z.literal("assign"), user_id: z.string().min(1).max(64) }),
    z.object({
      kind: z.literal("hand_over"),
      role: z.enum(STAFF_ROLES),
      note: z.string().trim().min(3).max(500).meta({ example: "A gesture of $40, above my limit." }),
    }),
    /** takes every mark away */
    z.object({ kind: z.literal("release") }),
  ]),
});
export type MarkInput = z.output<typeof MarkInput>;
export const Marked = z.object({ key: z.string() });

/** POST /admin/orders/{id}/ask: a question about an order to everyone of a role. */
export const AskInput = z.object({
  role: z.enum(STAFF_ROLES),
  note: z.string().trim().min(3).max(500).meta({ example: "A gesture of $40, above my limit." }),
});
export type AskInput = z.output<typeof AskInput>;
export const AskedParams = z.object({ id: z.string().trim().min(1).max(64) });
export const Asked = z.object({ key: z.string(), order_id: z.string() });
/** POST /admin/inbox/asked/{id}/done */
export const AskedDone = z.object({ order_id: z.string() });
