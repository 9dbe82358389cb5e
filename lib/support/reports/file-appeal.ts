import { transaction } from "@/db/client";
import { reportAppeals } from "@/db/schema/support";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { maskMessage } from "@/lib/support/mask-message";
import type { AppealInput } from "./contract";
import { findAppeal } from "./find-report";

/**
 * Records a party's objection to the decision about a report, once, within six months.
 * @throws ShopError link_invalid, appeal_closed: it was already made, or is too late
 */
export async function fileAppeal({ token, message }: AppealInput): Promise<{ reference: string }> {
  const text = await maskMessage(message, { userId: undefined, orderId: undefined });
  return transaction(async (tx) => {
    const appeal = await findAppeal(token, tx);
    if (!appeal) throw new ShopError("link_invalid");
    const { id: reportId, party, open } = appeal;
    const made =
      open &&
      (await tx
        .insert(reportAppeals)
        .values({ id: newId("apl"), reportId, party, text })
        .onConflictDoNothing()
        .returning({ id: reportAppeals.id }));
    if (!made || made.length === 0) throw new ShopError("appeal_closed");
    return { reference: reportId };
  });
}
