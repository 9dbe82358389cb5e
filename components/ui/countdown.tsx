"use client";

import { useLayoutEffect, useRef, useState } from "react";
import { useLocalText } from "@/components/ui/local-text";
import { estimateServerClock, hasServerClock, serverNow } from "@/components/ui/server-clock";

const DAY_MS = 86_400_000;

const twoDigits = (n: number) => String(n).padStart(2, "0");

/** Formats "2 d 04:13:22", "2日 04:13:22", or "13:22" in the last hour. */
function formatRemaining(milliseconds: number, dayUnit: string): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const clock = `${twoDigits(Math.floor((seconds % 3600) / 60))}:${twoDigits(seconds % 60)}`;
  return `${days > 0 ? `${days}${dayUnit} ` : ""}${days > 0 || hours > 0 ? `${twoDigits(hours)}:` : ""}${clock}`;
}

/**
 * A ticking countdown on the server's clock (server-clock.ts), so a wrong client clock has no effect. Times are
 * milliseconds since the epoch. `now`, the server time at rendering, shows the first value immediately, for pages
 * that are rendered per visit. Without it the sentence `spoken` with the exact end time is shown until the clock is
 * known. Screen readers always read it ("Ends 5 December, 18:00 UTC"), in the reader's
 * time zone.
 */
export function Countdown({
  endsAt,
  now,
  dayUnit,
  spoken,
  until,
  onEnd,
  className,
}: {
  endsAt: number;
  now?: number;
  /** includes the preceding space where the language writes one */
  dayUnit: string;
  spoken: string;
  /** Shown instead while more than 24 hours remain, and until the clock is known ("Ends 23 December"). */
  until?: string;
  onEnd?: () => void;
  className?: string;
}) {
  const [remainingMs, setRemainingMs] = useState<number | null>(now === undefined ? null : endsAt - now);
  const onEndRef = useRef(onEnd);
  onEndRef.current = onEnd;

  // Runs before paint, because `now` may be minutes old when the countdown mounts again.
  useLayoutEffect(() => {
    if (now !== undefined) estimateServerClock(now);
    const timer = setInterval(tick, 1000);
    function tick() {
      if (!hasServerClock()) return;
      const remaining = endsAt - serverNow();
      setRemainingMs(remaining);
      if (remaining > 0) return;
      clearInterval(timer);
      onEndRef.current?.();
    }
    tick();
    return () => clearInterval(timer);
  }, [endsAt, now]);

  // On one line as a whole, so that public pages need nothing that keeps its date together.
  const shown = useLocalText(until ?? "", [endsAt]);
  const isFar = remainingMs === null || remainingMs > DAY_MS;
  return (
    <span className={className}>
      <span className={remainingMs === null && until === undefined ? undefined : "sr-only"}>
        {useLocalText(spoken, [endsAt])}
      </span>
      {until !== undefined && isFar && (
        <span aria-hidden="true" className="whitespace-nowrap">
          {shown}
        </span>
      )}
      {remainingMs !== null && !(until !== undefined && isFar) && (
        <span aria-hidden="true" className="figures">
          {formatRemaining(remainingMs, dayUnit)}
        </span>
      )}
    </span>
  );
}
