import { z } from "zod";
import { Cursor } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { APPROVAL_KINDS, APPROVAL_STATES, type ApprovalKind } from "@/lib/staff/rules";

/** An action that waits for a second person, or did. */
export const ApprovalView = z.object({
  approval_id: z.string(),
  kind: z.enum(Object.keys(APPROVAL_KINDS) as [ApprovalKind, ...ApprovalKind[]]),
  /** What the action is about, in words: an address, an order's number. */
  subject: z.string(),
  state: z.enum(APPROVAL_STATES),
  /** addresses */
  asked_by: z.string(),
  decided_by: z.string().nullable(),
  asked_at: z.string(),
  decided_at: z.string().nullable(),
  /** No one can decide after this. */
  expires_at: z.string(),
  /** The person who asked decided, because no one else could. */
  alone: z.boolean(),
  note: z.string().nullable(),
  /** The viewer may decide it now. */
  decidable: z.boolean(),
  /** of the request, and of what it would change as it is now */
  version: Version,
});
export type ApprovalView = z.output<typeof ApprovalView>;
export const ApprovalList = z.object({
  items: z.array(ApprovalView),
  /** on this page */
  total: z.int(),
  /** null: this is the last page */
  next_cursor: z.string().nullable(),
});
export type ApprovalList = z.output<typeof ApprovalList>;

/** GET /admin/approvals: the open ones, oldest first, or all of them, newest first; 200 a page. */
export const ApprovalsInput = z.object({ cursor: Cursor, state: z.enum(["open", "all"]).default("open") });
export type ApprovalsInput = z.output<typeof ApprovalsInput>;
/** POST /admin/approvals/{id}/approve, /admin/approvals/{id}/refuse */
export const ApprovalParams = z.object({ id: z.string().min(1).max(64) });
export const DecisionInput = SeenVersion.extend({ note: z.string().trim().max(500).optional() });
export type Decision = z.output<typeof DecisionInput> & { id: string; decision: "approve" | "refuse" };
export const DecisionView = z.object({ approval_id: z.string(), state: z.enum(APPROVAL_STATES) });
export type DecisionView = z.output<typeof DecisionView>;
