import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { versionSql } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { AnnouncementList, ConsoleAnnouncement } from "./contract";

const MAX_LISTED = 100;

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
