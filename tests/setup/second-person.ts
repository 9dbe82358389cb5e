import type { StaffViewer } from "@/lib/platform/auth/session";
import { withApproval } from "@/lib/platform/console/approval";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { APPROVAL_KINDS, type ApprovalKind } from "@/lib/staff/rules";

/** All kinds of approvals that calls declare. */
export const anySecondPerson = secondPerson(...(Object.keys(APPROVAL_KINDS) as ApprovalKind[]));

/** Runs a staff action as its call does: if it needs a second person, requests the approval. */
export const runAsCall = <T>(viewer: StaffViewer, run: () => Promise<T>): Promise<T> =>
  withApproval(anySecondPerson, viewer, run);

/** An action of staff as its call runs it. */
export const asCall =
  <Rest extends unknown[], T>(action: (viewer: StaffViewer, ...rest: Rest) => Promise<T>) =>
  (viewer: StaffViewer, ...rest: Rest): Promise<T> =>
    runAsCall(viewer, () => action(viewer, ...rest));
