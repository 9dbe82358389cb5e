import { client } from "@/db/client";
import { isDatabaseFailure } from "@/lib/platform/database-failure";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags, doNotCache } from "@/lib/platform/page-cache/tags";
import type { Announcement } from "./contract";

/** The announcement that public pages show now. While the database fails there is none, and the page is not cached. */
export async function findAnnouncement(locale: Locale): Promise<Announcement | null> {
  addCacheTags("announcements");
  try {
    const [running] = await client()<Announcement[]>`
      select id, texts->>${locale} as text, link, floor(extract(epoch from ends_at) * 1000)::float8 as "endsAt" from announcements
      where starts_at <= shop_now() and ends_at > shop_now() order by starts_at desc, id desc limit 1`;
    return running ?? null;
  } catch (error) {
    if (!isDatabaseFailure(error)) throw error;
    doNotCache();
    return null;
  }
}
