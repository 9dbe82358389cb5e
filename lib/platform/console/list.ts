import { z } from "zod";
import { CalendarDay, Instant } from "@/lib/platform/api/fields";
import { canonicalTimeZone } from "@/lib/platform/api/time-zone";
import { RELATIVE_DAYS, type RelativeDays } from "@/lib/platform/console/relative-days";
import { pastedEmail } from "@/lib/platform/mail/address";

/** Rows of a page of a console's list. */
export const PAGE_ROWS = 50;
/**
 * Rows that a request walks where a filter has no index: with the rows of its page, below 2,100 read rows a statement
 * (docs/performance.md#staff-console). The next request goes on from there.
 */
export const WALKED_ROWS = 1_700;
/** The same where the filter reads the parts of each row, such as an order's lines. */
export const WALKED_ROWS_WITH_PARTS = 500;

/** Filters that many lists have: the beginning of an address; yes or no; the days of a time zone, both included. */
export const EmailPrefix = z.string().overwrite(pastedEmail).min(1).max(254);
export const Flag = z.stringbool().or(z.boolean()).meta({ example: true });
export const Day = CalendarDay.meta({ example: "2026-11-20" });
export const Days = {
  /** a range that moves with today; before `from` and `to` */
  days: z.enum(RELATIVE_DAYS).optional(),
  from: Day.optional(),
  to: Day.optional(),
  /** whose days they are; default: UTC */
  time_zone: z
    .string()
    .max(64)
    .refine((name) => canonicalTimeZone(name) !== null)
    .meta({ example: "Europe/Berlin" })
    .optional(),
};
/** The days of a filter. */
export type DayRange = { days?: RelativeDays; from?: string; to?: string; time_zone?: string };

/** The order of a list by its time; the first one is the default. */
export const NewestFirst = z.enum(["newest", "oldest"]).optional();
/** The order of a queue by its time; the oldest first by default. */
export const OldestFirst = z.enum(["oldest", "newest"]).optional();

/** Where the next page begins; belongs to the filters it was made with. */
export const Cursor = z.string().min(1).max(600).optional();

/** A page of a console's list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** null: this is the last page */
    next_cursor: z.string().nullable(),
    total: z.int(),
    /** false: there are more than `total` */
    total_exact: z.boolean(),
    /** set where a filter without an index has looked at a part only: how far back; `next_cursor` goes on */
    looked_back_to: Instant.nullable(),
  });

/** A page of rows as a query returns it. */
export type ListPage<Item> = {
  items: Item[];
  next_cursor: string | null;
  total: number;
  total_exact: boolean;
  looked_back_to: string | null;
};

/** Things that wait are counted to this number, which is shown as "99+". */
export const MAX_QUEUED = 100;

/** How much waits, and since when: the oldest of those that are counted. */
export type QueueState = { count: number; oldest_at: string | null };
