"use client";

import { useEffect, useState } from "react";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { DESKTOP_COOKIE, toMobilePath } from "@/lib/platform/routing/paths";

/** The link back to the mobile version, shown only on phones that chose the desktop version. */
export function MobileLink({ text }: { text: string }) {
  const [desktopRequested, setDesktopRequested] = useState(false);
  useEffect(() => setDesktopRequested(document.cookie.includes(DESKTOP_COOKIE)), []);
  if (!desktopRequested) return null;
  return (
    <button
      type="button"
      className="flex min-h-11 cursor-pointer items-center underline"
      onClick={() => {
        writeCookie(DESKTOP_COOKIE, 0);
        location.assign(toMobilePath(location.pathname) + location.search);
      }}
    >
      {text}
    </button>
  );
}
