import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { announcements } from "@/db/schema/notifications";
import { audit } from "@/lib/platform/audit";
import { requireShown } from "@/lib/platform/console/shown";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { AnnouncementInput, ChangeAnnouncementInput, ConsoleAnnouncement } from "./contract";
import { findConsoleAnnouncement } from "./list-announcements";

type Actor = { userId: string };

/** The beginning and end; the beginning is now where none is given. @throws ShopError period_invalid */
async function periodOf(tx: Tx, { starts_at, ends_at }: AnnouncementInput) {
  const [row] = await tx.execute<{ starts: string; valid: boolean }>(sql`
    select coalesce(${starts_at ?? null}::timestamptz, shop_now()) as starts,
      ${ends_at}::timestamptz > greatest(shop_now(), coalesce(${starts_at ?? null}::timestamptz, shop_now())) as valid`);
  if (!row!.valid) throw new ShopError("period_invalid");
  return { startsAt: new Date(row!.starts), endsAt: new Date(ends_at) };
}

/** @throws ShopError announcement_unknown, announcement_ended: it has ended and cannot change, revision_conflict */
async function lockOpen(tx: Tx, id: string, { version }: SeenVersion): Promise<ConsoleAnnouncement> {
  const announcement = await findConsoleAnnouncement(tx, id);
  if (!announcement) throw new ShopError("announcement_unknown");
  if (announcement.state === "ended") throw new ShopError("announcement_ended");
  requireShown(version, announcement.version);
  return announcement;
}

/** An announcement for the audit log. */
const facts = ({ version: _version, ...announcement }: ConsoleAnnouncement) => announcement;
const view = async (tx: Tx, id: string) => (await findConsoleAnnouncement(tx, id))!;

/** Announces a message at the top of every public page. @throws ShopError period_invalid */
export async function createAnnouncement(
  { userId }: Actor,
  input: AnnouncementInput,
): Promise<ConsoleAnnouncement> {
  return transaction(async (tx) => {
    const id = newId("ann");
    const { texts, link = null } = input;
    await tx.insert(announcements).values({ id, texts, link, ...(await periodOf(tx, input)) });
    const after = await view(tx, id);
    await audit(
      { actor: userId, action: "announcement.created", subject: id, detail: { after: facts(after) } },
      tx,
    );
    return after;
  });
}

/**
 * Replaces texts, link and period of an announcement that is not over. Without a beginning it keeps its own.
 * @throws ShopError announcement_unknown, announcement_ended, revision_conflict, period_invalid
 */
export async function changeAnnouncement(
  { userId }: Actor,
  id: string,
  { version, ...input }: ChangeAnnouncementInput,
): Promise<ConsoleAnnouncement> {
  return transaction(async (tx) => {
    const before = await lockOpen(tx, id, { version });
    const period = await periodOf(tx, { ...input, starts_at: input.starts_at ?? before.starts_at });
    const { texts, link = null } = input;
    await tx
      .update(announcements)
      .set({ texts, link, ...period, updatedAt: shopNow })
      .where(eq(announcements.id, id));
    const after = await view(tx, id);
    const detail = { before: facts(before), after: facts(after) };
    await audit({ actor: userId, action: "announcement.changed", subject: id, detail }, tx);
    return after;
  });
}

/**
 * Takes an announcement from the pages now; a scheduled one is never shown.
 * @throws ShopError announcement_unknown, announcement_ended, revision_conflict
 */
export async function endAnnouncement(
  { userId }: Actor,
  id: string,
  seen: SeenVersion,
): Promise<ConsoleAnnouncement> {
  return transaction(async (tx) => {
    const before = await lockOpen(tx, id, seen);
    await tx
      .update(announcements)
      .set({ startsAt: sql`least(starts_at, shop_now())`, endsAt: shopNow, updatedAt: shopNow })
      .where(eq(announcements.id, id));
    const after = await view(tx, id);
    const detail = { before: facts(before), after: facts(after) };
    await audit({ actor: userId, action: "announcement.ended", subject: id, detail }, tx);
    return after;
  });
}
