"use client";

import { useEffect, useState } from "react";

/** 9am and 6pm EST as moments of an ordinary day; EST is UTC−5 all year. */
const OPENS = new Date(Date.UTC(2026, 0, 5, 14));
const CLOSES = new Date(Date.UTC(2026, 0, 5, 23));

/** Without `Intl`: the first of its clocks keeps a browser busy for 40 ms and more, and this is on every page. */
const clock = (moment: Date) => [moment.getHours(), moment.getMinutes()].map(two).join(":");
const two = (n: number) => String(n).padStart(2, "0");

/** The same hours on the visitor's clock, a hint that arrives after the page; its line is kept free. */
export function LocalSupportHours({ template }: { template: string }) {
  const [hours, setHours] = useState<string | null>(null);
  useEffect(() => setHours(`${clock(OPENS)}–${clock(CLOSES)}`), []);
  return <span className="figures block min-h-5 text-13">{hours && template.replace("%s", hours)}</span>;
}
