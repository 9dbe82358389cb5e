"use client";

import { useEffect } from "react";
import { Icon } from "@/components/ui/icon";

const hiding = () => import("./hide-announcement");

/** The button that closes an announcement. What hides it is loaded on the pages that show one. */
export function CloseAnnouncement({ id, endsAt, label }: { id: string; endsAt: number; label: string }) {
  useEffect(() => void hiding().then((file) => file.watchAnnouncement(id, endsAt)), [id, endsAt]);
  return (
    <button
      type="button"
      aria-label={label}
      className="hit"
      onClick={() => void hiding().then((file) => file.closeAnnouncement(id))}
    >
      <Icon name="close" size={18} />
    </button>
  );
}
