import { sql } from "drizzle-orm";
import { client, type Db, db } from "@/db/client";
import { versionSql } from "@/lib/platform/console/query";
import { isDatabaseFailure } from "@/lib/platform/database-failure";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { noteTags, noteUnsettled } from "@/lib/platform/page-cache/tags";
import type { Announcement, AnnouncementList, ConsoleAnnouncement } from "./contract";

const MAX_LISTED = 100;

/** The announcement that public pages show now. While the database fails there is none, and the page is not kept. */
export async function findAnnouncement(locale: Locale): Promise<Announcement | null> {
  noteTags("announcements");
  try {
    const [running] = await client()<Announcement[]>`
      select id, texts->>${locale} as text, link, floor(extract(epoch from ends_at) * 1000)::float8 as "endsAt" from announcements
      where starts_at <= shop_now() and ends_at > shop_now() order by starts_at desc, id desc limit 1`;
    return running ?? null;
  } catch (error) {
    if (!isDatabaseFailure(error)) throw error;
    noteUnsettled();
    return null;
  }
}

/** SQL: an announcement as staff see it. */
const CONSOLE_FIELDS = sql`id as announcement_id, texts, link, starts_at, ends_at,
  case when ends_at <= shop_now() then 'ended' when starts_at > shop_now() then 'scheduled' else 'running' end as state,
  ${versionSql(sql`id, texts, link, starts_at, ends_at`)} as version`;

type Row = Omit<ConsoleAnnouncement, "starts_at" | "ends_at"> & { starts_at: string; ends_at: string };

const toView = (row: Row): ConsoleAnnouncement => ({
  ...row,
  starts_at: instant(row.starts_at),
  ends_at: instant(row.ends_at),
});

/** Announcements for staff, those that begin last first. */
export async function listAnnouncements(): Promise<AnnouncementList> {
  const rows = await db.execute<Row>(sql`
    select ${CONSOLE_FIELDS} from announcements order by starts_at desc, id desc limit ${MAX_LISTED}`);
  return { items: rows.map(toView), total: rows.length };
}

/** One announcement for staff. */
export async function findConsoleAnnouncement(tx: Db, id: string): Promise<ConsoleAnnouncement | undefined> {
  const [row] = await tx.execute<Row>(sql`
    select ${CONSOLE_FIELDS} from announcements where id = ${id} for update`);
  return row && toView(row);
}
