import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { RevealedKey, RevealKeyInput } from "@/lib/delivery/contract";
import { tryJournal } from "@/lib/delivery/journal/journal-keys";
import { CODE_OWNER_SQL } from "@/lib/delivery/library/key-state-sql";
import { openReveal, recordReveal } from "@/lib/delivery/record-reveal";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { completeDelivered } from "./complete-delivered";

/**
 * Shows a code to its owner (`/library/reveal`, docs/product.md#83-delivery), and completes the order with its last
 * unrevealed code. `locale`: the language in which the owner was asked for the consent.
 * @throws ShopError key_unknown, key_frozen, code_held_back while the journal cannot be written
 */
export async function revealKey(
  viewer: UserViewer,
  { library_id }: RevealKeyInput,
  locale: Locale = viewer.locale,
): Promise<RevealedKey> {
  await tryJournal({ keyIds: [library_id], ownerId: viewer.userId });
  const recorded = await transaction(async (tx) => {
    // Locks the order before its key, in the same order as a withdrawal.
    const [key] = await tx.execute<{ order_id: string }>(sql`
      select o.id as order_id from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
      where k.id = ${library_id} and ${CODE_OWNER_SQL} = ${viewer.userId}`);
    const order = key ? await lockOrder(tx, key.order_id) : null;
    const revealed = await recordReveal(tx, viewer, library_id, locale);
    await completeDelivered(tx, order);
    return revealed;
  });
  // After the commit, so that a process which is killed here leaves no code that was decrypted without a record of it.
  return openReveal(recorded);
}
