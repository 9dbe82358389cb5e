"use client";

import { useEffect, useState } from "react";

/** 9am and 6pm EST as moments of an ordinary day; EST is UTC−5 all year. */
const OPENS = Date.UTC(2026, 0, 5, 14);
const CLOSES = Date.UTC(2026, 0, 5, 23);

/** The same hours on the visitor's clock, a hint that arrives after the page; its line is kept free. */
export function LocalSupportHours({ lang, template }: { lang: string; template: string }) {
  const [hours, setHours] = useState<string | null>(null);
  useEffect(() => {
    const format = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    setHours(`${format.format(OPENS)}–${format.format(CLOSES)}`);
  }, [lang]);
  return <span className="figures block min-h-5 text-13">{hours && template.replace("%s", hours)}</span>;
}
