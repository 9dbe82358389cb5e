import { endpoint } from "@/lib/platform/api/endpoint";
import { anyStaff } from "@/lib/staff/rules";
import { TodayInput, TodayView } from "@/lib/staff/today/contract";
import { getToday } from "@/lib/staff/today/get-today";

export const GET = endpoint(
  {
    summary: "What waits, and the figures of the last days",
    description:
      "Queues that the staff member may see, counted to 99, with the time of the oldest. Figures by day (UTC), from the sums that a job keeps every ten minutes.",
    access: anyStaff,
    query: TodayInput,
    result: TodayView,
    errors: [],
  },
  ({ viewer, query }) => getToday(viewer, query),
);
