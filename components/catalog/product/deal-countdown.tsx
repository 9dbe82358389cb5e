"use client";

import { useRouter } from "next/navigation";
import { Countdown } from "@/components/ui/countdown";

/** Several deals may end at once; one fresh page tells of all of them. */
const AGAIN_MS = 3000;
let refreshedAt = 0;

/** How long a deal still runs. When it ends the page asks for what holds then. Times as in `Countdown`. */
export function DealCountdown(deal: { endsAt: number; dayUnit: string; said: string }) {
  const router = useRouter();
  const refresh = () => {
    if (Date.now() - refreshedAt < AGAIN_MS) return;
    refreshedAt = Date.now();
    router.refresh();
  };
  return <Countdown {...deal} onEnd={refresh} />;
}
