import type { RateLimit } from "@/lib/platform/rate-limit";

/** Reports and objections of an account or address group, by the calls and by the forms without script. */
export const REPORT_LIMITS: RateLimit[] = (["ip", "user"] as const).flatMap((by) => [
  { limit: 10, seconds: 3600, by, counter: "report" },
  { limit: 30, seconds: 86_400, by, counter: "report-day" },
]);
