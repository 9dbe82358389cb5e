import { Icon } from "@/components/ui/icon";
import { DealCountdown } from "./deal-countdown";
import type { DealLabels } from "./use-deal-labels";

/** The remaining time of a deal and the stock left at its price. */
export function DealClock({ left, ...deal }: DealLabels) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-warn">
      <span className="inline-flex items-center gap-1.5">
        <Icon name="clock" size={16} />
        <DealCountdown {...deal} />
      </span>
      <span className="figures">{left}</span>
    </span>
  );
}
