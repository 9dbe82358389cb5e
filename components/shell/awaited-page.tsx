"use client";

import { type CSSProperties, useEffect, useState, useTransition } from "react";
import { type AwaitedPage, setPressHost, unmarkPress } from "@/components/ui/press";
import { findRoute } from "@/lib/platform/routing/routes";

/** A document that has not come by then was stopped. */
const DOCUMENT_MS = 15_000;
const TICKETS = [1, 2, 3, 4, 5, 6];

/**
 * Answers a press until the next page is there: what was pressed is marked immediately, and after 300 ms a skeleton of the
 * next page covers this one (docs/decisions/0041-show-skeletons-from-the-browser.md). Of the same page with other
 * choices, only the list is covered, and in a console nothing (`console`).
 */
export function AwaitedPageHost({ console = false }: { console?: boolean }) {
  const [awaited, setAwaited] = useState<(AwaitedPage & { style: CSSProperties }) | null>(null);
  const [isPending, startTransition] = useTransition();
  const isAwaited = awaited !== null && (awaited.document || isPending);

  useEffect(() => {
    setPressHost((page, navigate) => {
      setAwaited({ ...page, style: placeOf(page) });
      if (page.document) navigate();
      else startTransition(navigate);
    });
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setAwaited(null);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  useEffect(() => {
    if (!isAwaited) unmarkPress();
  }, [isAwaited]);
  useEffect(() => {
    if (!awaited?.document) return;
    const timer = setTimeout(setAwaited, DOCUMENT_MS, null);
    return () => clearTimeout(timer);
  }, [awaited]);

  if (!isAwaited || (console && awaited.here)) return null;
  const { path, here, style } = awaited;
  const isList = here && document.querySelector("[data-list]") !== null;
  const tickets = isList || findRoute(path)?.tickets;
  return (
    <div className="awaited" style={style} aria-hidden="true">
      <div className={isList ? undefined : "measure pt-6 md:pt-10"}>
        {!isList && <div className="skeleton mb-8 h-11 w-64 max-w-full" />}
        <div className={tickets ? "awaited-tickets" : "max-w-column"}>
          {TICKETS.map((ticket) => (
            <div key={ticket} className={tickets ? "skeleton awaited-ticket" : "skeleton mb-4 h-6"} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Where the next page's content will be: below the header, beside the rail of a console, or at the list. */
function placeOf({ here }: AwaitedPage): CSSProperties {
  const list = here && document.querySelector("[data-list]");
  const { top = 0, left, width } = (list || document.querySelector("main"))?.getBoundingClientRect() ?? {};
  return { top: Math.max(0, top), left, width };
}
