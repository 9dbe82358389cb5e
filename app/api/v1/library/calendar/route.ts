import { CalendarQuery } from "@/lib/delivery/contract";
import { getPassCalendar } from "@/lib/delivery/library/get-pass-calendar";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The expiry of the viewer's pass as a calendar file, with a reminder the day before",
    description: "For a pass that has not started, the redemption deadline of its code, if it has one.",
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
