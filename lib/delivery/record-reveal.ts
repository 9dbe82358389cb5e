import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { keys } from "@/db/schema/delivery";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type Sealed, unseal } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RevealedKey } from "./contract";
import { lockViewerKey } from "./lock-key";
import { recordKeyEvents } from "./record-key-events";
import { createConsent, encodeRevealActor } from "./rules";

async function findRevealActor(tx: Tx, { userId, sessionId }: UserViewer): Promise<string> {
  const [session] = await tx
    .select({ device: sessions.device })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
  return encodeRevealActor(userId, session?.device);
}

/** A reveal that is recorded. Its code is decrypted once that is committed (`openReveal`). */
export type RecordedReveal = Sealed & { id: string; revealedAt: Date };

/** Decrypts the code of a recorded reveal. Only this function and `openKeysForEmail` decrypt codes to be read. */
export const openReveal = ({ id, revealedAt, ...sealed }: RecordedReveal): RevealedKey => ({
  library_id: id,
  code: unseal(id, sealed),
  revealed_at: revealedAt.toISOString(),
});

/**
 * Records that a code is shown to its owner; with it the consent, when the code was unrevealed by choice. `locale`: the
 * language in which the consent was asked.
 * @throws ShopError key_unknown, key_frozen, code_held_back before the key is in the journal
 */
export async function recordReveal(
  tx: Tx,
  viewer: UserViewer,
  keyId: string,
  locale: Locale,
): Promise<RecordedReveal> {
  const { id, needsConsent, unjournaled } = await lockViewerKey(tx, viewer, keyId);
  if (unjournaled) throw new ShopError("code_held_back");
  const [row] = await tx
    .update(keys)
    .set({
      firstRevealedAt: sql`coalesce(${keys.firstRevealedAt}, shop_now())`,
      openedAt: sql`coalesce(${keys.openedAt}, shop_now())`,
      ...(needsConsent && { consent: createConsent("revealed", locale) }),
    })
    .where(eq(keys.id, id))
    .returning();
  await recordKeyEvents(tx, [id], "revealed", await findRevealActor(tx, viewer));
  const { sealed, vaultKeyId, firstRevealedAt } = row!;
  return { id, sealed, vaultKeyId, revealedAt: firstRevealedAt! };
}
