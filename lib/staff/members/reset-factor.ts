import { transaction } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { approvalRequired, askApproval } from "@/lib/staff/approvals/ask-approval";
import type { MemberInput } from "@/lib/staff/members/contract";
import { requireShownUser } from "./change-roles";

/**
 * Asks a second administrator to remove a person's authenticator app.
 * @throws ShopError member_unknown: no staff member has the address, revision_conflict, approval_required
 */
export async function resetFactor(viewer: StaffViewer, shown: MemberInput): Promise<never> {
  const approvalId = await transaction(async (tx) => {
    const user = await requireShownUser(tx, shown);
    if (!user.roles) throw new ShopError("member_unknown");
    const payload = { user_id: user.userId };
    return askApproval(tx, viewer, {
      kind: "reset_factor",
      payload,
      subject: user.email,
      concerns: user.userId,
    });
  });
  throw approvalRequired(approvalId);
}
