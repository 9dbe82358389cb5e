"use client";

import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatDate, formatTime } from "@/lib/platform/format";

/** Steps in the order of their times, in the reader's zone. The date of a day stands once. */
export function TimeLine({ steps }: { steps: readonly { key: string; at: string; text: string }[] }) {
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const days = new Map<string, (typeof steps)[number][]>();
  for (const step of steps) {
    const day = formatDate(step.at, locale, timeZone);
    days.set(day, [...(days.get(day) ?? []), step]);
  }
  return (
    <div className="flex flex-col gap-3">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <p className="text-13 text-quiet">{day}</p>
          <ol className="divide-y divide-hairline">
            {ofDay.map(({ key, at, text }) => (
              <li key={key} className="flex flex-wrap justify-between gap-x-6 py-2.5">
                <span className="min-w-0 break-words">{text}</span>
                <time dateTime={at} className="figures text-quiet">
                  {formatTime(at, locale, timeZone)}
                </time>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
