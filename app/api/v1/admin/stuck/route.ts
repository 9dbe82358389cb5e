import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { StuckBoard, StuckInput } from "@/lib/staff/stuck/contract";
import { listStuck } from "@/lib/staff/stuck/list-stuck";

export const GET = endpoint(
  {
    summary: "What waits for longer than it should",
    description:
      "Paid orders, payments, holds, refunds, emails, jobs, differences to the provider, seals, and a missing worker: since when, why, and what runs it again. At most 50 of each kind. The board polls it; it does not extend staff mode.",
    access: staff("orders.read"),
    query: StuckInput,
    result: StuckBoard,
    polled: true,
    errors: [],
  },
  ({ query, locale }) => listStuck(query, locale),
);
