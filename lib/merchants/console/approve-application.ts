import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { ApplicationDecided, ApproveApplicationInput } from "@/lib/merchants/console/contract";
import { decideApplication } from "@/lib/merchants/decide-application";
import { suggestHandle, suggestName } from "@/lib/merchants/rules";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { findConsoleApplication } from "./list-console-applications";

/**
 * Approves an application: makes its merchant, or takes one without members, and invites the applicant as owner.
 * @throws ShopError application_unknown, application_decided, revision_conflict, handle_invalid, handle_taken, merchant_unknown,
 * merchant_has_members, merchant_state, already_member, note_has_code
 */
export async function approveApplication(
  { userId }: StaffViewer,
  id: string,
  { note, handle, name, merchant_id, version }: ApproveApplicationInput,
): Promise<ApplicationDecided> {
  await requireNoCode(
    db,
    [note, name, handle].filter((text) => text !== undefined),
  );
  const application = await findConsoleApplication(id);
  if (!application) throw new ShopError("application_unknown");
  const { product_url } = application;
  const merchant = merchant_id
    ? { merchantId: merchant_id }
    : { handle: handle ?? suggestHandle(product_url), name: name ?? suggestName(product_url) };
  const result = await decideApplication(id, {
    state: "approved",
    decidedBy: userId,
    merchant,
    shown: { version },
    ...(note && { note }),
  });
  if (!result) throw new ShopError("application_unknown");
  if (result.outcome === "already") throw new ShopError("application_decided");
  return { application_id: id, state: "approved", merchant_id: result.merchant?.id ?? null };
}
