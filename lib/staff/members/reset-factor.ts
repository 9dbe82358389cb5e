import { transaction } from "@/db/client";
import { ApprovalNeeded } from "@/lib/platform/console/approval";
import { ShopError } from "@/lib/platform/errors";
import type { MemberInput } from "@/lib/staff/members/contract";
import { requireShownUser } from "./change-roles";

/**
 * Asks a second administrator to remove a person's authenticator app.
 * @throws ApprovalNeeded always; ShopError member_unknown: no staff member has the address, revision_conflict
 */
export async function resetFactor(shown: MemberInput): Promise<never> {
  return transaction(async (tx) => {
    const user = await requireShownUser(tx, shown);
    if (!user.roles) throw new ShopError("member_unknown");
    const payload = { user_id: user.userId };
    throw new ApprovalNeeded({
      kind: "reset_factor",
      payload,
      subject: user.email,
      concerns: user.userId,
    });
  });
}
