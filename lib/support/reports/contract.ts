import { z } from "zod";
import { EmailAddress, Instant, KnownEmail } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import {
  APPEAL_OUTCOMES,
  MAX_REPORT,
  MIN_REPORT,
  REPORT_KINDS,
  REPORT_OUTCOMES,
  REPORT_PARTIES,
  REPORT_REASONS,
  REPORT_STATES,
  type ReportKind,
  type ReportOutcome,
  type ReportParty,
  type ReportReason,
} from "./rules";

const Words = z
  .string()
  .trim()
  .min(MIN_REPORT)
  .max(MAX_REPORT)
  .meta({ example: "It is sold as official and is not." });

/** `POST /report/create`: a report of what may be unlawful or misleading. */
export const ReportInput = z.object({
  kind: z.enum(REPORT_KINDS),
  /** the slug of a product, the id of a review, the handle of a seller */
  target: z.string().trim().min(1).max(120),
  reason: z.enum(REPORT_REASONS),
  message: Words,
  /** for the receipt and the decision; empty: the reporter gets no email */
  email: z.preprocess((value) => value || null, KnownEmail.pipe(EmailAddress).nullish()),
  /** a honeypot: hidden in the form, so that reports in which it is filled in come from bots and are discarded */
  website: z.string().max(500).nullish(),
});
export type ReportInput = z.output<typeof ReportInput>;

export const ReportReceived = z.object({
  /** opens the receipt: `/report?receipt=` */
  receipt: z.string(),
  reference: z.string(),
  received_at: Instant,
  /** whether the receipt is mailed too */
  receipt_mailed: z.boolean(),
});
export type ReportReceived = z.output<typeof ReportReceived>;

/** `POST /report/appeal`: a party's objection to the decision, with the token of the link in its email. */
export const AppealInput = z.object({ token: z.string().max(2000), message: Words });
export type AppealInput = z.output<typeof AppealInput>;
export const AppealReceived = z.object({ reference: z.string() });

/** GET /admin/reports: undecided reports, oldest first; decided ones, newest first. */
export const ConsoleReportsInput = z.object({ cursor: Cursor, state: z.enum(REPORT_STATES).default("open") });
export type ConsoleReportsInput = z.output<typeof ConsoleReportsInput>;

const ConsoleAppeal = z.object({
  party: z.enum(REPORT_PARTIES),
  text: z.string(),
  created_at: Instant,
  outcome: z.enum(APPEAL_OUTCOMES).nullable(),
  statement: z.string().nullable(),
  decided_at: Instant.nullable(),
});
export const ConsoleReport = z.object({
  report_id: z.string(),
  kind: z.enum(REPORT_KINDS),
  target_name: z.string(),
  /** its page in the console */
  path: z.string(),
  /** whether shoppers can still see it */
  shown: z.boolean(),
  /** to restrict it, or to reverse its restriction, changes what shoppers see */
  changes_shop: z.boolean(),
  /** the viewer has the right to that change */
  may_change: z.boolean(),
  reason: z.enum(REPORT_REASONS),
  /** its codes masked */
  text: z.string(),
  email: z.string().nullable(),
  created_at: Instant,
  outcome: z.enum(REPORT_OUTCOMES).nullable(),
  statement: z.string().nullable(),
  decided_at: Instant.nullable(),
  /** a colleague's address */
  decided_by: z.string().nullable(),
  /** the oldest first */
  appeals: z.array(ConsoleAppeal),
  /** whether an objection is undecided */
  appealed: z.boolean(),
  /** whether the viewer made the decision, so that someone else decides about the objection */
  own_decision: z.boolean(),
  version: Version,
});
export type ConsoleReport = z.output<typeof ConsoleReport>;
export const ConsoleReportList = listOf(ConsoleReport);
export type ConsoleReportList = z.output<typeof ConsoleReportList>;

export const ReportParams = z.object({ id: z.string().trim().min(1).max(64) });
const Statement = z.string().trim().min(MIN_REPORT).max(MAX_REPORT);
/** POST /admin/reports/{id}/decide */
export const DecideReportInput = SeenVersion.extend({
  outcome: z.enum(REPORT_OUTCOMES),
  statement: Statement,
});
export type DecideReportInput = z.output<typeof DecideReportInput>;
/** POST /admin/reports/{id}/appeal: decides the oldest undecided objection. */
export const DecideAppealInput = SeenVersion.extend({
  outcome: z.enum(APPEAL_OUTCOMES),
  statement: Statement,
});
export type DecideAppealInput = z.output<typeof DecideAppealInput>;
export const ReportDecided = z.object({ report_id: z.string() });

/** What is reported: its id, and its name in the reader's language. */
export type ReportTarget = { id: string; name: string };

/** The receipt of a report, without the text of the report. */
export type ReportReceipt = {
  id: string;
  kind: ReportKind;
  name: string;
  reason: ReportReason;
  at: string;
  email: string | null;
};

/** What the page of an objection shows. `sent`: the objection was made. `open`: it can still be made. */
export type AppealView = {
  id: string;
  kind: ReportKind;
  name: string;
  outcome: ReportOutcome;
  statement: string | null;
  party: ReportParty;
  until: string;
  open: boolean;
  sent: boolean;
};
