"use client";

import { useEffect } from "react";
import { Icon } from "@/components/ui/icon";
import { whenIdle } from "@/components/ui/when-idle";

const loadHiding = () => import("./hide-announcement");

/** The button that closes an announcement. What hides it loads when the page is idle. */
export function CloseAnnouncement({ id, endsAt, label }: { id: string; endsAt: number; label: string }) {
  useEffect(() => {
    let watching: Promise<() => void> | undefined;
    const cancel = whenIdle(() => {
      watching = loadHiding().then(({ watchAnnouncement }) => watchAnnouncement(id, endsAt));
    });
    return () => {
      cancel();
      void watching?.then((stop) => stop());
    };
  }, [id, endsAt]);
  return (
    <button
      type="button"
      aria-label={label}
      className="hit -mr-3 flex-none cursor-pointer"
      onClick={() => void loadHiding().then(({ closeAnnouncement }) => closeAnnouncement(id))}
    >
      <Icon name="close" size={18} />
    </button>
  );
}
