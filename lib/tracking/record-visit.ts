import { db } from "@/db/client";
import { visits } from "@/db/schema/tracking";
import { networkPrefix } from "@/lib/platform/http/ip";
import { parsePath } from "@/lib/platform/routing/paths";
import { recordInviteClick } from "@/lib/referrals/record-invite-click";
import type { VisitRecord } from "./contract";
import { emptyToNull } from "./reported-values";
import { sanitizeVisitedPath } from "./rules";

/** Records a page view: page, device type and the source of the attribution, without a user. */
export async function recordVisit(input: VisitRecord, ip: string, source?: string): Promise<void> {
  const { path, locale } = parsePath(sanitizeVisitedPath(input.page_url));
  await db.insert(visits).values({
    path,
    locale,
    deviceType: input.visit_device_type,
    deviceModel: emptyToNull(input.visit_device_model),
    language: emptyToNull(input.browser_language),
    ipNetwork: networkPrefix(ip),
    source: emptyToNull(source),
  });
  const [, inviteCode] = /^\/i\/([\w-]{1,64})$/.exec(path) ?? [];
  if (inviteCode) await recordInviteClick(inviteCode, ip);
}
