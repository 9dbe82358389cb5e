import { CalendarQuery } from "@/lib/delivery/contract";
import { getPassCalendar } from "@/lib/delivery/library/queries-calendar";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The end of one's own pass as a calendar file, with a reminder the day before",
    description: "Of a pass that has not begun: the last moment to redeem its code, when it has one.",
    access: "user",
    query: CalendarQuery,
    result: binary("text/calendar"),
    errors: ["key_unknown", "pass_without_end"],
  },
  async ({ query, viewer, locale }) =>
    new Response(await getPassCalendar(viewer, query, locale), {
      headers: {
        "content-type": "text/calendar; charset=utf-8",
        "content-disposition": 'attachment; filename="pass.ics"',
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      },
    }),
);
