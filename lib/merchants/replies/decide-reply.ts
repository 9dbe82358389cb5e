import { and, eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { reviewReplies } from "@/db/schema/merchants";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { ReplyView } from "@/lib/merchants/replies/contract";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { REPLY_VERSION } from "@/lib/reviews/reply-version-sql";

type Decision = SeenVersion & { state: "shown" | "refused"; note?: string };

/** @throws ShopError reply_unknown, reply_decided, revision_conflict, note_has_code */
async function decideReply(
  { userId }: StaffViewer,
  reviewId: string,
  { state, note, version }: Decision,
): Promise<ReplyView> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const [reply] = await tx
      .select({ state: reviewReplies.state })
      .from(reviewReplies)
      .where(eq(reviewReplies.reviewId, reviewId))
      .for("update");
    if (!reply) throw new ShopError("reply_unknown");
    if (reply.state === state) throw new ShopError("reply_decided");
    const from = sql`review_replies y where y.review_id = ${reviewId}`;
    await requireShownRow(tx, { version }, { version: REPLY_VERSION, from });
    await tx
      .update(reviewReplies)
      .set({ state, note: note ?? null, decidedBy: userId, decidedAt: shopNow })
      .where(and(eq(reviewReplies.reviewId, reviewId), eq(reviewReplies.state, reply.state)));
    const action = state === "shown" ? "reply.shown" : "reply.refused";
    const detail = { before: { state: reply.state }, after: { state }, ...(note && { note }) };
    await audit({ actor: userId, action, subject: reviewId, detail }, tx);
    return { review_id: reviewId, state };
  });
}

/** Shows a reply under its review. @throws ShopError reply_unknown, reply_decided, revision_conflict */
export const showReply = (
  viewer: StaffViewer,
  reviewId: string,
  { version }: SeenVersion,
): Promise<ReplyView> => decideReply(viewer, reviewId, { state: "shown", version });

/**
 * Refuses a reply, or takes a shown one away; the merchant reads why.
 * @throws ShopError reply_unknown, reply_decided, revision_conflict, note_has_code
 */
export const refuseReply = (
  viewer: StaffViewer,
  reviewId: string,
  { version, note }: SeenVersion & { note: string },
): Promise<ReplyView> => decideReply(viewer, reviewId, { state: "refused", note, version });
