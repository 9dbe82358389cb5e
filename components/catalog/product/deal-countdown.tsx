"use client";

import { useRouter } from "next/navigation";
import { Countdown } from "@/components/ui/countdown";

/** Several deals may end at once. One page refresh covers all of them. */
const REFRESH_INTERVAL_MS = 3000;
let refreshedAt = 0;

/** The remaining time of a deal. When it ends, the page refreshes. Times are as in `Countdown`. */
export function DealCountdown(deal: { endsAt: number; dayUnit: string; spoken: string }) {
  const router = useRouter();
  const refresh = () => {
    if (Date.now() - refreshedAt < REFRESH_INTERVAL_MS) return;
    refreshedAt = Date.now();
    router.refresh();
  };
  return <Countdown {...deal} onEnd={refresh} />;
}
