import { z } from "zod";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Day, listOf } from "@/lib/platform/console/list";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { INSIGHT_DAYS, SOURCE_LENGTH } from "@/lib/tracking/insight/rules";
import { SOURCE_KINDS } from "@/lib/tracking/rules";

const Days = IntParam.pipe(z.literal([...INSIGHT_DAYS])).default(30);

const Funnel = {
  /** page views; visitors who decline tracking are not counted */
  visits: z.int(),
  /** those of them that show a product */
  product_views: z.int(),
  /** carts that were begun, those that became orders included */
  carts: z.int(),
  orders: z.int(),
  /** orders that were paid in the period, whenever they were placed */
  paid: z.int(),
};

/** GET /admin/insight/sources: most visits first. */
export const SourcesInput = z.object({ cursor: Cursor, days: Days });
export type SourcesInput = z.output<typeof SourcesInput>;
export const SourceFigures = z.object({
  kind: z.enum(SOURCE_KINDS).exclude(["all"]),
  /** null unless the kind is `named` */
  source: z.string().nullable(),
  ...Funnel,
});
export type SourceFigures = z.output<typeof SourceFigures>;
export const SourceList = listOf(SourceFigures).extend({
  /** all sources together */
  all: z.object(Funnel),
});
export type SourceList = z.output<typeof SourceList>;

/** GET /admin/insight/days: all sources together, or one of them, by day. */
export const SourceDaysInput = z.object({
  days: Days,
  kind: z.enum(SOURCE_KINDS).exclude(["named"]).default("all"),
  /** a named source, in place of `kind`; `source` itself is the attribution of a call */
  came_from: z.string().trim().min(1).max(SOURCE_LENGTH).optional(),
});
export type SourceDaysInput = z.output<typeof SourceDaysInput>;
export const SourceDays = z.object({
  kind: z.enum(SOURCE_KINDS),
  source: z.string().nullable(),
  /** the oldest first, days without figures included */
  days: z.array(z.object({ day: Day, ...Funnel })),
});
export type SourceDays = z.output<typeof SourceDays>;

/** The page of sources: the list, and the days of the chosen one. */
export const SourcesPageInput = SourcesInput.extend({
  kind: SourceDaysInput.shape.kind,
  came_from: SourceDaysInput.shape.came_from,
});
export type SourcesPageInput = z.output<typeof SourcesPageInput>;

/** GET /admin/insight/searches: the most frequent first. */
export const EmptySearchesInput = z.object({ cursor: Cursor, locale: z.enum(LOCALES).optional() });
export type EmptySearchesInput = z.output<typeof EmptySearchesInput>;
export const EmptySearch = z.object({
  content: z.string(),
  /** the language of the page that was searched */
  locale: z.enum(LOCALES),
  /** in the last 28 days */
  searches: z.int(),
  last_at: Instant,
});
export type EmptySearch = z.output<typeof EmptySearch>;
export const EmptySearchList = listOf(EmptySearch);
export type EmptySearchList = z.output<typeof EmptySearchList>;
