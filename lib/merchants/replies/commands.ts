import { and, eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { reviewReplies } from "@/db/schema/merchants";
import { requireNoCode } from "@/lib/delivery/code-text/queries";
import type { ReplyInput, ReplyView } from "@/lib/merchants/replies/contract";
import { REPLY_VERSION } from "@/lib/merchants/replies/queries";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { detectLanguage } from "@/lib/reviews/rules";

/**
 * Writes the merchant's reply to a review, which waits for staff. A review has one; a refused one may be written again.
 * @throws ShopError review_unknown, review_answered, note_has_code
 */
export async function replyToReview(
  viewer: MerchantViewer,
  reviewId: string,
  { text }: ReplyInput,
): Promise<ReplyView> {
  const { merchant, actor } = viewer;
  return transaction(async (tx) => {
    const [review] = await tx.execute(sql`
      select from reviews where id = ${reviewId} and merchant_id = ${merchant.id} and state = 'published' for share`);
    if (!review) throw new ShopError("review_unknown");
    await requireNoCode(tx, text, { merchantId: merchant.id });
    const locale = detectLanguage(text, viewer.locale);
    const written = { text, locale, state: "waiting", writtenBy: actor } as const;
    const [reply] = await tx
      .insert(reviewReplies)
      .values({ reviewId, merchantId: merchant.id, ...written })
      .onConflictDoUpdate({
        target: reviewReplies.reviewId,
        set: { ...written, createdAt: shopNow, decidedAt: null, decidedBy: null, note: null },
        setWhere: sql`${reviewReplies.state} = 'refused'`,
      })
      .returning({ state: reviewReplies.state });
    if (!reply) throw new ShopError("review_answered");
    await audit(
      { actor, action: "review.replied", subject: reviewId, detail: { merchant: merchant.id } },
      tx,
    );
    return { review_id: reviewId, state: reply.state };
  });
}

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
