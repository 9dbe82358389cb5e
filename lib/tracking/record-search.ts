import { db } from "@/db/client";
import { searches } from "@/db/schema/tracking";
import type { Viewer } from "@/lib/platform/auth/session";
import type { SearchRecord } from "./contract";
import { emptyToNull, viewerUserId } from "./reported-values";
import { GUEST } from "./rules";

export async function recordSearch(viewer: Viewer, input: SearchRecord): Promise<void> {
  await db.insert(searches).values({
    userId: viewerUserId(viewer) ?? GUEST,
    content: input.search_content,
    locale: viewer.locale,
    deviceType: input.search_device_type,
    deviceModel: emptyToNull(input.search_device_model),
    language: emptyToNull(input.browser_language),
    region: emptyToNull(input.country_region),
  });
}
