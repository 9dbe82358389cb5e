"use client";

import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { DESKTOP_COOKIE, localizedPath, toDesktopPath } from "@/lib/platform/routing/paths";

/** The desktop version of this page. The cookie keeps the server from redirecting a phone back. */
export function DesktopLink({ className, children }: { className?: string; children: ReactNode }) {
  const { locale } = useSurface();
  return (
    <a
      href={localizedPath("/", { locale, surface: "desktop" })}
      rel="nofollow"
      className={className}
      onClick={(event) => {
        writeCookie(DESKTOP_COOKIE);
        event.currentTarget.href = toDesktopPath(location.pathname) + location.search;
      }}
    >
      <Icon name="desktop" size={18} />
      {children}
    </a>
  );
}
