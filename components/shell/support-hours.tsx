"use client";

import { useEffect, useState } from "react";

/** 9am and 6pm EST of a sample day. EST is UTC−5 all year. */
const OPENS = new Date(Date.UTC(2026, 0, 5, 14));
const CLOSES = new Date(Date.UTC(2026, 0, 5, 23));

/** The first `Intl` formatter would block the browser for 40 ms or more, on every page. */
const formatTime = (moment: Date) => [moment.getHours(), moment.getMinutes()].map(twoDigits).join(":");
const twoDigits = (n: number) => String(n).padStart(2, "0");

/** The support hours in the visitor's time zone, filled into a reserved line after the page loads. */
export function LocalSupportHours({ template }: { template: string }) {
  const [hours, setHours] = useState<string | null>(null);
  useEffect(() => setHours(`${formatTime(OPENS)}–${formatTime(CLOSES)}`), []);
  return <span className="figures block min-h-5 text-13">{hours && template.replace("%s", hours)}</span>;
}
