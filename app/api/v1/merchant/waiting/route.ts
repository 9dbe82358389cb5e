import { MerchantWaiting } from "@/lib/merchants/notices/contract";
import { countOpenRequests } from "@/lib/merchants/requests/count-open-requests";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { MAX_QUEUED } from "@/lib/platform/console/list";

export const GET = endpoint(
  {
    summary: "How many requests of buyers wait for the merchant",
    access: merchant("requests.read"),
    polled: true,
    result: MerchantWaiting,
    errors: [],
  },
  async ({ viewer }) => {
    const { refund, replacement } = await countOpenRequests(viewer);
    const total = refund.count + replacement.count;
    return { requests: Math.min(total, MAX_QUEUED - 1), more: total >= MAX_QUEUED };
  },
);
