"use client";

import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { hasServerClock, serverNow } from "@/components/ui/server-clock";
import type { Announcement } from "@/lib/notifications/announcements/contract";
import { CLOSED_ANNOUNCEMENT_KEY } from "@/lib/platform/pages/head-script";
import type { AnnouncementLabels } from "./labels";

/**
 * A message of staff at the top of public pages, until its end or until the reader closes it in this browser. The script in the head hides
 * a closed one before the first paint (docs/product.md#23-header-footer-banners).
 */
export function AnnouncementBanner({
  id,
  text,
  link,
  endsAt,
  labels,
}: Announcement & { labels: AnnouncementLabels }) {
  const [closed, setClosed] = useState(false);
  useEffect(() => setClosed(readClosed() === id), [id]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (hasServerClock() && serverNow() >= endsAt) setClosed(true);
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  if (closed) return null;
  return (
    <aside id={id} aria-label={labels.name} className="border-b border-hairline bg-raised">
      <div className="measure flex items-center gap-2">
        <p className="min-w-0 flex-1 py-2.5 text-balance sm:text-center">
          {text}
          {link && (
            <>
              {" "}
              <Link href={link} className="text-link inline-block py-1 whitespace-nowrap">
                {labels.details}
              </Link>
            </>
          )}
        </p>
        <button
          type="button"
          aria-label={labels.close}
          className="hit -mr-3 flex-none cursor-pointer"
          onClick={() => {
            storeClosed(id);
            setClosed(true);
          }}
        >
          <Icon name="close" size={18} />
        </button>
      </div>
    </aside>
  );
}

function readClosed(): string | null {
  try {
    return localStorage.getItem(CLOSED_ANNOUNCEMENT_KEY);
  } catch {
    return null; // storage may be blocked
  }
}

function storeClosed(id: string): void {
  try {
    localStorage.setItem(CLOSED_ANNOUNCEMENT_KEY, id);
  } catch {
    // Storage may be blocked. The message then stays closed on this page only.
  }
}
