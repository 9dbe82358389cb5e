import type { Tx } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";

/** What a second person is asked to approve. */
export type ApprovalRequest = {
  /** One of the kinds that the call declares. */
  kind: string;
  /** What its action needs (`ApprovedAction`). Never a secret. */
  payload: Record<string, unknown>;
  subject: string;
  /** The user whom the action concerns, and who may not approve it. */
  concerns?: string;
  /** The roles that may decide, where not all roles with the permission may. */
  roles?: readonly string[];
  /** An entry of the audit log about what the action changes; it names the approval. */
  entry?: { action: string; subject: string; detail: Record<string, unknown> };
};

/**
 * Thrown by an action that needs a second person, which rolls its transaction back. The wrapper of its call stores the
 * request.
 */
export class ApprovalNeeded extends Error {
  override name = "ApprovalNeeded";
  constructor(readonly request: ApprovalRequest) {
    super(`${request.kind} needs a second person`);
  }
}

/** Also true when the class was loaded twice by two bundles. */
export const isApprovalNeeded = (error: unknown): error is ApprovalNeeded =>
  error instanceof Error && error.name === "ApprovalNeeded";

/** Declares that a call may need a second person: `approval: secondPerson("goodwill")` (lib/staff/approvals). */
export type Approval = {
  kinds: readonly string[];
  /** Stores the request, and throws `approval_required` with its id. */
  ask(viewer: StaffViewer, request: ApprovalRequest): Promise<never>;
};

/** Runs an action as its call does: if it needs a second person, requests the approval. */
export async function withApproval<T>(
  approval: Approval,
  viewer: StaffViewer,
  run: () => Promise<T> | T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isApprovalNeeded(error)) throw error;
    return approval.ask(viewer, error.request);
  }
}

/** The action of an approval, run in the transaction of the decision. It may queue a job, but calls no provider. */
export type ApprovedAction = (
  tx: Tx,
  payload: Record<string, unknown>,
  people: { askedBy: string; decidedBy: string },
) => Promise<void>;
export type ApprovedActions = Readonly<Record<string, ApprovedAction>>;
