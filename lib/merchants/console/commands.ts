import { decideApplication } from "@/lib/merchants/commands";
import type { ApplicationDecided } from "@/lib/merchants/console/contract";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/**
 * Approves or refuses a merchant's application and mails the applicant, with the note.
 * @throws ShopError application_unknown, application_decided
 */
export async function decideConsoleApplication(
  { userId }: StaffViewer,
  { id, state, note }: { id: string; state: ApplicationDecided["state"]; note?: string | undefined },
): Promise<ApplicationDecided> {
  const result = await decideApplication(id, { state, decidedBy: userId, ...(note && { note }) });
  if (!result) throw new ShopError("application_unknown");
  if (result.outcome === "already") throw new ShopError("application_decided");
  return { application_id: id, state };
}
