import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { ApplicationDecided } from "@/lib/merchants/console/contract";
import { decideApplication } from "@/lib/merchants/decide-application";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

/**
 * Refuses an application and mails the applicant the reason.
 * @throws ShopError application_unknown, application_decided, revision_conflict, note_has_code
 */
export async function refuseApplication(
  { userId }: StaffViewer,
  id: string,
  { note, version }: SeenVersion & { note: string },
): Promise<ApplicationDecided> {
  await requireNoCode(db, note);
  const result = await decideApplication(id, {
    state: "refused",
    decidedBy: userId,
    note,
    shown: { version },
  });
  if (!result) throw new ShopError("application_unknown");
  if (result.outcome === "already") throw new ShopError("application_decided");
  return { application_id: id, state: "refused", merchant_id: null };
}
