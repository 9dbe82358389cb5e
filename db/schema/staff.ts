import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  IMPORT_KINDS,
  IMPORT_STATES,
  type ImportCounts,
  type StoredReportLine,
} from "@/lib/staff/imports/rules";
import { APPROVAL_STATES, CONSOLE_LISTS, NOTE_SUBJECTS } from "@/lib/staff/rules";
import { userId, users } from "./accounts";
import { productImages } from "./catalog";
import { at, bytea, createdAt, id, oneOf } from "./columns";

/**
 * Who is staff, with which roles. A change of roles ends the row and adds another, so that the table is its own history.
 * `users.role` is the fast gate.
 */
export const staffMembers = pgTable(
  "staff_members",
  {
    id: id(),
    userId: userId(),
    roles: text("roles").array().notNull(),
    /** A user's id, or `staff:` and the name of an operating system user. */
    grantedBy: text("granted_by").notNull(),
    createdAt: createdAt(),
    endedAt: at("ended_at"),
    endedBy: text("ended_by"),
  },
  (t) => [
    uniqueIndex("staff_members_live").on(t.userId).where(sql`ended_at is null`),
    index("staff_members_user").on(t.userId),
    check(
      "staff_members_roles",
      sql`cardinality(roles) > 0 and roles <@ array['support', 'catalogue', 'finance', 'admin']`,
    ),
  ],
);

/** Secrets of authenticator apps, sealed with the vault. A person has at most one confirmed and one unconfirmed secret. */
export const secondFactors = pgTable(
  "second_factors",
  {
    id: id(),
    userId: userId(),
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    /** The last accepted 30-second step: a code is accepted once. */
    lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
    /** Wrong codes since the last right one. */
    failures: integer("failures").notNull().default(0),
    lockedUntil: at("locked_until"),
    createdAt: createdAt(),
    confirmedAt: at("confirmed_at"),
    /** Replaced or reset. */
    endedAt: at("ended_at"),
  },
  (t) => [
    uniqueIndex("second_factors_live").on(t.userId).where(sql`confirmed_at is not null and ended_at is null`),
    uniqueIndex("second_factors_new").on(t.userId).where(sql`confirmed_at is null and ended_at is null`),
    index("second_factors_user").on(t.userId),
  ],
);

/** Codes for a person who has lost the authenticator app; each works once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: id(),
    userId: userId(),
    factorId: text("factor_id")
      .notNull()
      .references(() => secondFactors.id),
    codeHash: text("code_hash").notNull(),
    createdAt: createdAt(),
    usedAt: at("used_at"),
  },
  (t) => [uniqueIndex("recovery_codes_hash").on(t.codeHash), index("recovery_codes_factor").on(t.factorId)],
);

/**
 * Actions that wait for a second person. A trigger (db/functions/check_approval.sql) refuses a decision by the person who
 * asked, except where no other person could decide.
 */
export const approvals = pgTable(
  "approvals",
  {
    id: id(),
    kind: text("kind").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    /** What the action is about, e.g. an order's id. */
    subject: text("subject").notNull(),
    askedBy: text("asked_by")
      .notNull()
      .references(() => users.id),
    /** The person whom the action concerns, who never decides about it. */
    concerns: text("concerns").references(() => users.id),
    /** Roles that may decide. */
    roles: text("roles").array().notNull(),
    state: text("state", { enum: APPROVAL_STATES }).notNull().default("asked"),
    createdAt: createdAt(),
    expiresAt: at("expires_at").notNull(),
    decidedBy: text("decided_by").references(() => users.id),
    decidedAt: at("decided_at"),
    /** The person who asked decided, because no one else could. */
    alone: boolean("alone").notNull().default(false),
    note: text("note"),
  },
  (t) => [
    index("approvals_open").on(t.createdAt, t.id).where(sql`state = 'asked'`),
    index("approvals_by_time").on(t.createdAt, t.id),
    check("approvals_state", oneOf("state", APPROVAL_STATES)),
    check("approvals_two_people", sql`decided_by is null or decided_by <> asked_by or alone`),
    check("approvals_not_concerned", sql`decided_by is null or concerns is null or decided_by <> concerns`),
    check(
      "approvals_decided",
      sql`(state in ('approved', 'refused')) = (decided_by is not null) and (decided_by is null) = (decided_at is null)`,
    ),
  ],
);

/** What staff wrote about an order or a customer. Notes are never changed; erasing an account deletes those about it. */
export const notes = pgTable(
  "notes",
  {
    id: id(),
    about: text("about", { enum: NOTE_SUBJECTS }).notNull(),
    /** the id of the order or account */
    subjectId: text("subject_id").notNull(),
    text: text("text").notNull(),
    writtenBy: text("written_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    index("notes_by_subject").on(t.subjectId, t.createdAt, t.id),
    check("notes_about", oneOf("about", NOTE_SUBJECTS)),
  ],
);

/** The filters of a list under a name, for the person who saved them. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: id(),
    userId: userId(),
    list: text("list", { enum: CONSOLE_LISTS }).notNull(),
    name: text("name").notNull(),
    filters: jsonb("filters").$type<Record<string, string>>().notNull(),
    /** everyone who reads the list sees it */
    shared: boolean("shared").notNull().default(false),
    /** the list opens with it for its owner */
    isDefault: boolean("is_default").notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("saved_views_name").on(t.userId, t.list, t.name),
    check("saved_views_list", oneOf("list", CONSOLE_LISTS)),
  ],
);

/**
 * Files that staff imported in the console. The file itself is never stored, and the report holds numbers of lines and
 * reasons only. A run of a killed process stays `running` without a beat, and is found by that.
 */
export const importRuns = pgTable(
  "import_runs",
  {
    id: id(),
    kind: text("kind", { enum: IMPORT_KINDS }).notNull(),
    sha256: text("sha256").notNull(),
    /** The file's name. */
    name: text("name").notNull(),
    state: text("state", { enum: IMPORT_STATES }).notNull().default("running"),
    /** Lines of the file, for the progress. */
    lines: integer("lines").notNull(),
    counts: jsonb("counts").$type<ImportCounts>().notNull(),
    /** The first 10,000 refused lines. */
    report: jsonb("report").$type<StoredReportLine[]>().notNull(),
    startedBy: text("started_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** The last sign of life of a running import. */
    heartbeatAt: at("heartbeat_at").default(sql`shop_now()`),
    /** The previous release's name of `heartbeat_at` (db/functions/keep_beat_at.sql). */
    beatAt: at("beat_at").notNull().default(sql`shop_now()`),
    endedAt: at("ended_at"),
  },
  (t) => [
    uniqueIndex("import_runs_running").on(t.kind, t.sha256).where(sql`state = 'running'`),
    index("import_runs_by_time").on(t.createdAt, t.id),
    check("import_runs_kind", oneOf("kind", IMPORT_KINDS)),
    check("import_runs_state", oneOf("state", IMPORT_STATES)),
    check("import_runs_ended", sql`(state = 'running') = (ended_at is null)`),
  ],
);

/** Pictures that a staff member sent for the lines of a catalogue file that name them. Deleted after a day. */
export const importPictures = pgTable(
  "import_pictures",
  {
    userId: userId(),
    /** The picture's file name. */
    name: text("name").notNull(),
    hash: text("hash")
      .notNull()
      .references(() => productImages.hash),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] }), index("import_pictures_hash").on(t.hash)],
);

/** The hash chain over the audit log (docs/reliability.md#audit-log): each seal includes the previous one. */
export const auditSeals = pgTable(
  "audit_seals",
  {
    entryId: bigint("entry_id", { mode: "number" }).primaryKey(),
    position: bigint("position", { mode: "number" }).notNull(),
    hash: text("hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("audit_seals_position").on(t.position)],
);

/**
 * What staff did with a thing of the inbox besides deciding it: put it off, gave it to a colleague or to a role. In the queue
 * `asked` the row is the thing itself: a question about an order.
 */
export const inboxMarks = pgTable(
  "inbox_marks",
  {
    /** the queue and the id */
    key: text("key").primaryKey(),
    queue: text("queue").notNull(),
    id: text("id").notNull(),
    snoozedUntil: at("snoozed_until"),
    /** a user */
    assignedTo: text("assigned_to"),
    /** a role */
    handedTo: text("handed_to"),
    note: text("note"),
    markedBy: text("marked_by").notNull(),
    at: at("at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    index("inbox_marks_asked").on(t.at, t.key).where(sql`queue = 'asked'`),
    index("inbox_marks_by_time").on(t.at),
    check("inbox_marks_asked_role", sql`queue <> 'asked' or (handed_to is not null and note is not null)`),
  ],
);
