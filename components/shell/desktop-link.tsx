"use client";

import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { localizedPath, toDesktopPath } from "@/lib/navigation";

/** To this page as desktops see it; where it leads exactly is known at the press. */
export function DesktopLink({ className, children }: { className?: string; children: ReactNode }) {
  const { locale } = useSurface();
  return (
    <a
      href={localizedPath("/", { locale, surface: "desktop" })}
      rel="nofollow"
      className={className}
      onClick={(event) => {
        event.currentTarget.href = toDesktopPath(location.pathname) + location.search;
      }}
    >
      <Icon name="desktop" size={18} />
      {children}
    </a>
  );
}
