import { z } from "zod";
import { ActorFields } from "@/lib/platform/api/fields";
import { beginning } from "@/lib/platform/beginning";
import { SEARCH_DEVICES, SOURCE_EVENTS, VISIT_DEVICES } from "./rules";

/** A text that is truncated instead of rejected. */
const TruncatedText = (max: number) =>
  z
    .string()
    .max(4000)
    .transform((text) => beginning(text.replace(/\p{Cc}/gu, " ").trim(), max))
    .nullish();
const Id = z.union([z.string().max(64), z.number()]).nullish();
/** Milliseconds, or ISO text. */
const Timestamp = z.union([z.number(), z.string().max(40)]).nullish();

/** `POST /visit/record` (docs/product.md#32-records-of-visits-and-searches). `ip_address` is sent empty and never read. */
export const VisitRecord = z.object({
  ip_address: z.string().max(64).nullish(),
  visit_device_type: z.enum(VISIT_DEVICES),
  browser_language: TruncatedText(35),
  visit_device_model: TruncatedText(120),
  page_url: z.string().min(1).max(4000),
});
export type VisitRecord = z.output<typeof VisitRecord>;

/** `POST /search/record/manage` (docs/product.md#32-records-of-visits-and-searches). */
export const SearchRecord = z.object({
  user_id: ActorFields.user_id,
  search_content: z.string().trim().min(1).max(200),
  search_device_type: z.enum(SEARCH_DEVICES),
  search_time: Timestamp,
  browser_language: TruncatedText(35),
  country_region: TruncatedText(40),
  search_device_model: TruncatedText(120),
});
export type SearchRecord = z.output<typeof SearchRecord>;

const AttributionFields = {
  source: TruncatedText(200),
  campaign: TruncatedText(200),
  medium: TruncatedText(200),
  content: TruncatedText(200),
};

/** `POST /tracking/source-tracking` (docs/product.md#32-records-of-visits-and-searches). `email` is not stored. */
export const SourceEvent = z.object({
  ...AttributionFields,
  event_type: z.enum(SOURCE_EVENTS),
  landingPage: TruncatedText(2000),
  referrer: TruncatedText(2000),
  marketingUserId: TruncatedText(200),
  tracking_id: TruncatedText(200),
  timestamp: Timestamp,
  user_id: ActorFields.user_id,
  userId: ActorFields.user_id,
  orderId: TruncatedText(64),
  productId: Id,
  vipId: Id,
  email: TruncatedText(254),
});
export type SourceEvent = z.output<typeof SourceEvent>;

/** `POST /tracking/source-refresh`: the visitor's attribution stored at `timestamp` is still in use. */
export const SourceRefresh = z.object({
  ...AttributionFields,
  marketingUserId: TruncatedText(200),
  tracking_id: TruncatedText(200),
  timestamp: Timestamp,
  user_id: ActorFields.user_id,
});
export type SourceRefresh = z.output<typeof SourceRefresh>;

export const Recorded = z.object({ recorded: z.boolean() });
/** `live`: the attribution is at most 7 days old; otherwise the browser removes it. */
export const Refreshed = z.object({ live: z.boolean() });
