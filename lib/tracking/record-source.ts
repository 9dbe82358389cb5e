import { and, eq, gt, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { sourceEvents } from "@/db/schema/tracking";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import type { Viewer } from "@/lib/platform/auth/session";
import { hmac } from "@/lib/platform/crypto/hmac";
import { networkPrefix } from "@/lib/platform/http/ip";
import type { SourceEvent, SourceRefresh } from "./contract";
import { emptyToNull, parseId, parseTime, viewerUserId } from "./reported-values";
import { SOURCE_LIFETIME_MS, SOURCE_WINDOW_MS, sanitizeReferrer, sanitizeVisitedPath } from "./rules";

/** Where a report comes from: the client's address and its user agent. */
type ReportOrigin = { ip: string; userAgent: string | null };

/** A keyed hash of who reports, for a day: the account, else the address and the user agent. */
function visitorHash(viewer: Viewer, { ip, userAgent }: ReportOrigin): string {
  const day = new Date().toISOString().slice(0, 10);
  return hmac("source-visitor", `${day}:${viewerUserId(viewer) ?? `${ip}:${userAgent ?? ""}`}`);
}

/**
 * Records a visit or order with its attribution, at most once per visitor in SOURCE_WINDOW_MS
 * (docs/product.md#46-source-tracking). The user comes from the session. Returns whether the event was recorded.
 */
export async function recordSource(
  viewer: Viewer,
  input: SourceEvent,
  origin: ReportOrigin,
): Promise<{ recorded: boolean }> {
  const visitor = visitorHash(viewer, origin);
  return transaction(async (tx) => {
    // Reports of one visitor run one after the other, so that two documents cannot both find the window free.
    await tx.execute(
      sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.sourceOfVisitor}::int, hashtext(${visitor}))`,
    );
    const windowStart = sql`shop_now() - make_interval(secs => ${SOURCE_WINDOW_MS / 1000})`;
    const isRecent = and(eq(sourceEvents.visitor, visitor), gt(sourceEvents.createdAt, windowStart));
    if ((await tx.$count(sourceEvents, isRecent)) > 0) return { recorded: false };
    await tx.insert(sourceEvents).values({
      eventType: input.event_type,
      landingPage: input.landingPage ? sanitizeVisitedPath(input.landingPage) : null,
      referrer: input.referrer ? sanitizeReferrer(input.referrer) : null,
      ...attributionColumns(input),
      userId: viewerUserId(viewer),
      orderId: emptyToNull(input.orderId),
      productId: parseId(input.productId),
      planId: parseId(input.vipId),
      ipNetwork: networkPrefix(origin.ip),
      visitor,
      happenedAt: parseTime(input.timestamp),
    });
    return { recorded: true };
  });
}

const attributionColumns = (input: SourceRefresh) => ({
  source: emptyToNull(input.source),
  campaign: emptyToNull(input.campaign),
  medium: emptyToNull(input.medium),
  content: emptyToNull(input.content),
  marketingUserId: emptyToNull(input.marketingUserId),
  trackingId: emptyToNull(input.tracking_id),
});

/** Whether a stored attribution is still valid. Links it to the viewer's account at most once a day. */
export async function refreshSource(viewer: Viewer, input: SourceRefresh, ip: string) {
  const at = parseTime(input.timestamp);
  const attribution = attributionColumns(input);
  if (!at || Date.now() - at.getTime() > SOURCE_LIFETIME_MS) return { live: false };
  const userId = viewerUserId(viewer);
  if (!userId) return { live: true };
  await db.execute(sql`
    insert into source_events (event_type, source, campaign, medium, content, marketing_user_id, tracking_id, user_id,
      ip_network, happened_at)
    select 'visit', ${attribution.source}, ${attribution.campaign}, ${attribution.medium}, ${attribution.content}, ${attribution.marketingUserId},
      ${attribution.trackingId}, ${userId}, ${networkPrefix(ip)}, ${at.toISOString()}::timestamptz
    where not exists (select from source_events e where e.user_id = ${userId}
      and e.source is not distinct from ${attribution.source} and e.campaign is not distinct from ${attribution.campaign}
      and e.created_at > shop_now() - interval '1 day')`);
  return { live: true };
}
