import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { searches, sourceEvents, visits } from "@/db/schema/tracking";
import type { Viewer } from "@/lib/platform/auth/session";
import { parsePath } from "@/lib/platform/routing/paths";
import { recordInviteClick } from "@/lib/referrals/commands";
import type { SearchRecord, SourceEvent, SourceRefresh, VisitRecord } from "./contract";
import {
  networkPrefix,
  RETENTION_DAYS,
  SOURCE_LIFETIME_MS,
  sanitizeReferrer,
  sanitizeVisitedPath,
} from "./rules";

const orNull = <T>(value: T | null | undefined | ""): T | null => value || null;
const actorOf = (viewer: Viewer) => (viewer.kind === "user" ? viewer.userId : null);
const numberOf = (value: string | number | null | undefined) => {
  const number = Number(value);
  return value && Number.isSafeInteger(number) && number > 0 && number < 2_147_483_648 ? number : null;
};

/** The time sent by the browser; null when it is implausible. */
function momentOf(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(/^\d{10,16}$/.test(String(value)) ? Number(value) : value);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 2020 || date.getUTCFullYear() > 2100
    ? null
    : date;
}

/** Records a page view: page and device type, without a user. */
export async function recordVisit(input: VisitRecord, ip: string): Promise<void> {
  const { path, locale } = parsePath(sanitizeVisitedPath(input.page_url));
  await db.insert(visits).values({
    path,
    locale,
    deviceType: input.visit_device_type,
    deviceModel: orNull(input.visit_device_model),
    language: orNull(input.browser_language),
    ipNetwork: networkPrefix(ip),
  });
  const [, inviteCode] = /^\/i\/([\w-]{1,64})$/.exec(path) ?? [];
  if (inviteCode) await recordInviteClick(inviteCode, ip);
}

/** Records a search. */
export async function recordSearch(viewer: Viewer, input: SearchRecord): Promise<void> {
  await db.insert(searches).values({
    userId: actorOf(viewer),
    content: input.search_content,
    locale: viewer.locale,
    deviceType: input.search_device_type,
    deviceModel: orNull(input.search_device_model),
    language: orNull(input.browser_language),
    region: orNull(input.country_region),
  });
}

/** Records an arrival with attribution, or an order on its way. The user comes from the session. */
export async function recordSource(viewer: Viewer, input: SourceEvent, ip: string): Promise<void> {
  await db.insert(sourceEvents).values({
    eventType: input.event_type,
    landingPage: input.landingPage ? sanitizeVisitedPath(input.landingPage) : null,
    referrer: input.referrer ? sanitizeReferrer(input.referrer) : null,
    ...sourceOf(input),
    userId: actorOf(viewer),
    orderId: orNull(input.orderId),
    productId: numberOf(input.productId),
    planId: numberOf(input.vipId),
    ipNetwork: networkPrefix(ip),
    happenedAt: momentOf(input.timestamp),
  });
}

const sourceOf = (input: SourceRefresh) => ({
  source: orNull(input.source),
  campaign: orNull(input.campaign),
  medium: orNull(input.medium),
  content: orNull(input.content),
  marketingUserId: orNull(input.marketingUserId),
  trackingId: orNull(input.tracking_id),
});

/**
 * Whether a stored attribution is still valid. A signed-in visitor's first refresh links it to the account, at most
 * once a day, so that orders can be attributed.
 */
export async function refreshSource(
  viewer: Viewer,
  input: SourceRefresh,
  ip: string,
): Promise<{ live: boolean }> {
  const at = momentOf(input.timestamp);
  const facts = sourceOf(input);
  if (!at || Date.now() - at.getTime() > SOURCE_LIFETIME_MS) return { live: false };
  const userId = actorOf(viewer);
  if (!userId) return { live: true };
  await db.execute(sql`
    insert into source_events (event_type, source, campaign, medium, content, marketing_user_id, tracking_id, user_id,
      ip_network, happened_at)
    select 'visit', ${facts.source}, ${facts.campaign}, ${facts.medium}, ${facts.content}, ${facts.marketingUserId},
      ${facts.trackingId}, ${userId}, ${networkPrefix(ip)}, ${at.toISOString()}::timestamptz
    where not exists (select from source_events e where e.user_id = ${userId}
      and e.source is not distinct from ${facts.source} and e.campaign is not distinct from ${facts.campaign}
      and e.created_at > shop_now() - interval '1 day')`);
  return { live: true };
}

const AT_ONCE = 5000;

/** Deletes records older than 90 days in batches, so that no lock lasts. Returns the number of rows. */
export async function deleteOldRecords(): Promise<number> {
  let gone = 0;
  for (const table of ["visits", "searches", "source_events"]) {
    for (let more = true; more; ) {
      const rows = await db.execute(sql`
        delete from ${sql.identifier(table)} where id in (
          select id from ${sql.identifier(table)}
          where created_at < shop_now() - make_interval(days => ${RETENTION_DAYS})
          order by created_at limit ${AT_ONCE}) returning id`);
      gone += rows.length;
      more = rows.length === AT_ONCE;
    }
  }
  return gone;
}
