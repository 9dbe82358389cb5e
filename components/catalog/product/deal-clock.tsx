"use client";

import { useRouter } from "next/navigation";
import { Countdown } from "@/components/ui/countdown";
import { Icon } from "@/components/ui/icon";
import type { DealLabels } from "./use-deal-labels";

/** The remaining time of a deal and the stock left at its price. */
export function DealClock({ left, ...deal }: DealLabels & { now?: number }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-warn">
      <span className="inline-flex items-center gap-1.5">
        <Icon name="clock" size={16} />
        <DealCountdown {...deal} />
      </span>
      <span className="deal-left figures">{left}</span>
    </span>
  );
}

/** Several deals may end at the same time. One page refresh covers all of them. */
const REFRESH_INTERVAL_MS = 3000;
let refreshedAt = 0;

/** The last day of a deal, in its last 24 hours the remaining time. When it ends, the page refreshes. Times are as in `Countdown`. */
export function DealCountdown(deal: Omit<DealLabels, "left"> & { now?: number }) {
  const router = useRouter();
  const refresh = () => {
    if (Date.now() - refreshedAt < REFRESH_INTERVAL_MS) return;
    refreshedAt = Date.now();
    router.refresh();
  };
  return <Countdown {...deal} onEnd={refresh} />;
}
