import type { RateLimit } from "@/lib/platform/rate-limit";

/** Limits on reports and objections per account and address group, for the calls and the forms without JavaScript. */
export const REPORT_LIMITS: RateLimit[] = (["ip", "user"] as const).flatMap((by) => [
  { limit: 10, seconds: 3600, by, counter: "report" },
  { limit: 30, seconds: 86_400, by, counter: "report-day" },
]);
