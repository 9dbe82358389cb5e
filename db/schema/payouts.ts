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
import { ENTRY_KINDS, type StatedHold } from "@/lib/payouts/money/rules";
import {
  ACCOUNT_SCHEMES,
  BANK_FILE_FORMATS,
  PAYOUT_METHODS,
  PAYOUT_STATES,
  PROVIDER_ACCOUNT_STATES,
  RUN_ORIGINS,
  RUN_STATES,
  STATEMENT_KINDS,
} from "@/lib/payouts/rules";
import { users } from "./accounts";
import { merchantId } from "./catalog";
import { at, bytea, createdAt, id, oneOf, reference } from "./columns";
import { orderLines } from "./orders";
import { ledgerEntries } from "./payments";

/**
 * Where merchants are paid. The newest one that was not cancelled and counts already is used; nothing of a row changes but its
 * seal and its cancellation (db/functions/check_payout_account.sql).
 */
export const payoutAccounts = pgTable(
  "payout_accounts",
  {
    id: id(),
    merchantId: merchantId(),
    method: text("method", { enum: PAYOUT_METHODS }).notNull(),
    scheme: text("scheme", { enum: ACCOUNT_SCHEMES }).notNull(),
    /** ISO code of the bank's country */
    country: text("country").notNull(),
    /** holder, bank and number as JSON (lib/payouts/accounts/rules.ts), sealed with the vault */
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    /** all that screens, calls and emails show of the number */
    lastFour: text("last_four").notNull(),
    /** of the method `stripe_connect` */
    providerAccountId: text("provider_account_id").references(() => providerAccounts.id),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    countsFrom: at("counts_from").notNull(),
    cancelledAt: at("cancelled_at"),
    cancelledBy: text("cancelled_by"),
  },
  (t) => [
    index("payout_accounts_of_merchant").on(t.merchantId, t.countsFrom),
    check("payout_accounts_method", oneOf("method", PAYOUT_METHODS)),
    check("payout_accounts_scheme", oneOf("scheme", ACCOUNT_SCHEMES)),
    check("payout_accounts_provider", sql`(method = 'stripe_connect') = (provider_account_id is not null)`),
    check("payout_accounts_cancelled", sql`(cancelled_at is null) = (cancelled_by is null)`),
  ],
);

/** The accounts of merchants at the payment provider, in their state as it was read last. A merchant has one that is not closed. */
export const providerAccounts = pgTable(
  "provider_accounts",
  {
    id: id(),
    merchantId: merchantId(),
    country: text("country").notNull(),
    state: text("state", { enum: PROVIDER_ACCOUNT_STATES }).notNull(),
    /** what the provider still asks for, in its words */
    requirements: jsonb("requirements").$type<string[]>().notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    readAt: at("read_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    uniqueIndex("provider_accounts_of_merchant").on(t.merchantId).where(sql`state <> 'closed'`),
    check("provider_accounts_state", oneOf("state", PROVIDER_ACCOUNT_STATES)),
  ],
);

/** One row: the least that is paid out, what was read of the shop's balance at the payment provider, and how far the ledger is closed. */
export const payoutSettings = pgTable(
  "payout_settings",
  {
    id: integer("id").primaryKey().default(1),
    minimumCents: integer("minimum_cents").notNull(),
    /** of the last reading; null: never */
    providerAvailableCents: bigint("provider_available_cents", { mode: "number" }),
    providerPendingCents: bigint("provider_pending_cents", { mode: "number" }),
    /** what merchants who are paid at the provider are owed, which its balance must not fall below */
    providerNeededCents: bigint("provider_needed_cents", { mode: "number" }),
    providerReadAt: at("provider_read_at"),
    /** up to this entry the ledger is closed */
    ledgerClosedId: bigint("ledger_closed_id", { mode: "number" }).notNull().default(0),
  },
  () => [check("payout_settings_one", sql`id = 1 and minimum_cents between 100 and 10000000`)],
);

/** The closed part of the ledger, added up by account and merchant (lib/payouts/closings/close-ledger.ts). */
export const ledgerClosings = pgTable(
  "ledger_closings",
  {
    account: text("account").notNull(),
    /** empty: entries of no merchant */
    merchantId: text("merchant_id").notNull(),
    cents: bigint("cents", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.merchantId] })],
);

/** What the reconciliation found at the payment provider that the shop has no payout for, or has with another amount. */
export const payoutFindings = pgTable(
  "payout_findings",
  {
    /** of the transfer */
    id: id(),
    payoutKey: text("payout_key"),
    cents: integer("cents").notNull(),
    destination: text("destination").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("payout_findings_by_time").on(t.createdAt)],
);

/** What a merchant chose about its payouts, and whether staff stopped them. Without a row the defaults of the rules count. */
export const payoutTerms = pgTable(
  "payout_terms",
  {
    merchantId: merchantId().primaryKey(),
    weekday: integer("weekday").notNull(),
    thresholdCents: integer("threshold_cents").notNull(),
    stoppedAt: at("stopped_at"),
    /** why, in staff's words to the merchant */
    stopNote: text("stop_note"),
    stoppedBy: text("stopped_by"),
  },
  () => [
    check("payout_terms_weekday", sql`weekday between 1 and 7`),
    check("payout_terms_threshold", sql`threshold_cents > 0`),
    check("payout_terms_stop", sql`(stopped_at is null) = (stopped_by is null)`),
  ],
);

/** Payouts that are approved and sent together. */
export const payoutRuns = pgTable(
  "payout_runs",
  {
    id: id(),
    origin: text("origin", { enum: RUN_ORIGINS }).notNull(),
    state: text("state", { enum: RUN_STATES }).notNull().default("preparing"),
    /** a user's id, or `system` */
    preparedBy: text("prepared_by").notNull(),
    /** the merchant up to which its payouts are written */
    preparedTo: text("prepared_to").notNull().default(""),
    createdAt: createdAt(),
    askedBy: text("asked_by").references(() => users.id),
    approvedBy: text("approved_by").references(() => users.id),
    approvedAt: at("approved_at"),
    /** what the second person agreed to; more is never sent */
    approvedCents: bigint("approved_cents", { mode: "number" }),
    sentAt: at("sent_at"),
    endedAt: at("ended_at"),
  },
  (t) => [
    index("payout_runs_by_time").on(t.createdAt, t.id),
    index("payout_runs_open").on(t.createdAt).where(sql`state in ('preparing', 'draft', 'approved')`),
    check("payout_runs_state", oneOf("state", RUN_STATES)),
    check("payout_runs_origin", oneOf("origin", RUN_ORIGINS)),
    check("payout_runs_two_people", sql`approved_by is null or approved_by <> asked_by`),
    check(
      "payout_runs_approved",
      sql`state not in ('approved', 'sent', 'closed') or (approved_by is not null and asked_by is not null and approved_cents is not null)`,
    ),
  ],
);

/** What one run pays one merchant. Its cents are those of the lines of its last attempt. */
export const payouts = pgTable(
  "payouts",
  {
    id: id(),
    /** null: a debt that was written off */
    runId: text("run_id").references(() => payoutRuns.id),
    merchantId: merchantId(),
    /** null: a debt that was written off */
    accountId: text("account_id").references(() => payoutAccounts.id),
    state: text("state", { enum: PAYOUT_STATES }).notNull().default("draft"),
    attempt: integer("attempt").notNull().default(1),
    cents: integer("cents").notNull(),
    createdAt: createdAt(),
    /** of the last change of its state */
    stateAt: at("state_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    uniqueIndex("payouts_once").on(t.runId, t.merchantId),
    uniqueIndex("payouts_one_draft").on(t.merchantId).where(sql`state = 'draft'`),
    index("payouts_of_merchant").on(t.merchantId, t.createdAt, t.id),
    index("payouts_of_run").on(t.runId, t.state, t.merchantId),
    check("payouts_state", oneOf("state", PAYOUT_STATES)),
    check(
      "payouts_amount",
      sql`case when run_id is null then cents < 0 else cents > 0 or state in ('draft', 'dropped') end`,
    ),
  ],
);

/** The sales that an attempt pays, or takes back what was paid of them. */
export const payoutLines = pgTable(
  "payout_lines",
  {
    payoutId: reference("payout_id", () => payouts.id),
    attempt: integer("attempt").notNull(),
    lineId: reference("line_id", () => orderLines.id),
    cents: integer("cents").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.payoutId, t.attempt, t.lineId] }),
    index("payout_lines_of_line").on(t.lineId),
    check("payout_lines_amount", sql`cents <> 0`),
  ],
);

/** Files for the shop's bank. The same file is made again from its attempts, and has the same number at the bank. */
export const bankFiles = pgTable(
  "bank_files",
  {
    id: id(),
    runId: reference("run_id", () => payoutRuns.id),
    format: text("format", { enum: BANK_FILE_FORMATS }).notNull(),
    payouts: integer("payouts").notNull(),
    cents: bigint("cents", { mode: "number" }).notNull(),
    madeBy: text("made_by").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("bank_files_of_run").on(t.runId, t.createdAt),
    check("bank_files_format", oneOf("format", BANK_FILE_FORMATS)),
  ],
);

/** Each time a payout was sent, under its own key. */
export const payoutAttempts = pgTable(
  "payout_attempts",
  {
    payoutId: reference("payout_id", () => payouts.id),
    attempt: integer("attempt").notNull(),
    /** names it at the bank, and returns in the bank's answer */
    key: text("key").notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => payoutAccounts.id),
    cents: integer("cents").notNull(),
    /** the file that names it to the bank; null: not yet */
    fileId: text("file_id").references(() => bankFiles.id),
    sentAt: createdAt(),
    /** the transfer at the payment provider; null: not yet, or by a bank file */
    transferId: text("transfer_id"),
    /** when the payment provider was asked first */
    triedAt: at("tried_at"),
    /** the payment provider refused it because the shop's balance there is too small; it is tried again */
    lacksFunds: boolean("lacks_funds").notNull().default(false),
    /** how often it did: the provider answers a key for a day as it did first, so each refusal is followed by another key */
    refusals: integer("refusals").notNull().default(0),
    /** the bank's or staff's words about how it ended */
    reason: text("reason"),
    endedBy: text("ended_by"),
    endedAt: at("ended_at"),
  },
  (t) => [
    primaryKey({ columns: [t.payoutId, t.attempt] }),
    index("payout_attempts_of_file").on(t.fileId),
    uniqueIndex("payout_attempts_transfer").on(t.transferId).concurrently(),
    index("payout_attempts_open")
      .on(t.sentAt)
      .concurrently()
      .where(sql`ended_at is null and file_id is null`),
    check("payout_attempts_amount", sql`cents > 0`),
  ],
);

/** What a merchant's account held and what moved it, from one statement to the next. Sealed: it never changes. */
export const statements = pgTable(
  "statements",
  {
    id: id(),
    merchantId: merchantId(),
    /** from 1, without gaps */
    number: integer("number").notNull(),
    kind: text("kind", { enum: STATEMENT_KINDS }).notNull(),
    /** null: from the beginning */
    fromAt: at("from_at"),
    toAt: at("to_at").notNull(),
    openingCents: bigint("opening_cents", { mode: "number" }).notNull(),
    closingCents: bigint("closing_cents", { mode: "number" }).notNull(),
    lines: integer("lines").notNull(),
    /** what was held at its end, why and until when */
    held: jsonb("held").$type<StatedHold[]>().notNull(),
    /** over the statement and its lines; its entry of the audit log has it too */
    hash: text("hash").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("statements_number").on(t.merchantId, t.number),
    index("statements_by_time").on(t.createdAt, t.id),
    check("statements_kind", oneOf("kind", STATEMENT_KINDS)),
  ],
);

/** An entry of the ledger stands in one statement. */
export const statementLines = pgTable(
  "statement_lines",
  {
    entryId: bigint("entry_id", { mode: "number" })
      .primaryKey()
      .references(() => ledgerEntries.id),
    statementId: reference("statement_id", () => statements.id),
    position: integer("position").notNull(),
    kind: text("kind", { enum: ENTRY_KINDS }).notNull(),
    cents: integer("cents").notNull(),
    at: at("at").notNull(),
    /** the sale; null: a payout, or what is none */
    lineId: text("line_id"),
    /** the product's name by language, as it was */
    names: jsonb("names").$type<Record<string, string>>(),
    passType: text("pass_type"),
    durationDays: integer("duration_days"),
    units: integer("units"),
  },
  (t) => [
    uniqueIndex("statement_lines_position").on(t.statementId, t.position),
    check("statement_lines_kind", oneOf("kind", ENTRY_KINDS)),
  ],
);
