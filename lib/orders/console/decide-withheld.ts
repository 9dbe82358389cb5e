import type { WithheldDecided } from "@/lib/delivery/console/contract-withheld";
import { releaseWithheldKeys, revokeWithheldKeys } from "@/lib/orders/restore/release-withheld-keys";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

/**
 * Returns the withheld codes of a plan to stock, or revokes them for good.
 * @throws ShopError withheld_unknown, revision_conflict: other codes are withheld than were shown
 */
export async function decideWithheld(
  { userId }: StaffViewer,
  planId: number,
  { state, version }: Pick<WithheldDecided, "state"> & SeenVersion,
): Promise<WithheldDecided> {
  const move = state === "available" ? releaseWithheldKeys : revokeWithheldKeys;
  const count = await move(planId, { actor: userId, version });
  if (count === 0) throw new ShopError("withheld_unknown");
  return { vip_id: planId, state, count };
}
