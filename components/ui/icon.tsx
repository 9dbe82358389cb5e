"use client";

import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

/** Stroke icons on a 24 × 24 grid with one stroke width. They are drawn here to avoid an icon library. */
const DRAWINGS = {
  search: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4.5 4.5" />
    </>
  ),
  home: <path d="M4 10.5 12 4l8 6.5V20h-5.5v-5.5h-5V20H4Z" />,
  // A ticket with notches, used for offers.
  ticket: (
    <>
      <path d="M3.5 6.5h17v3.2a2.4 2.4 0 0 0 0 4.6v3.2h-17v-3.2a2.4 2.4 0 0 0 0-4.6Z" />
      <path d="M14.5 9v.1M14.5 12v.1M14.5 15v.1" strokeWidth="2" />
    </>
  ),
  cart: (
    <>
      <path d="M3 4.5h2.6l2 10.2h10.2l2-7.4H6.3" />
      <circle cx="9" cy="19" r="1.3" />
      <circle cx="16.6" cy="19" r="1.3" />
    </>
  ),
  user: (
    <>
      <circle cx="12" cy="8.2" r="3.7" />
      <path d="M4.8 20c.5-3.9 3.5-5.8 7.2-5.8s6.7 1.9 7.2 5.8" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
  library: <path d="M5 4.5v15M9.5 4.5v15M13.6 5l5 14.4" />,
  globe: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M4 12h16M12 4c5 5.2 5 10.8 0 16-5-5.2-5-10.8 0-16Z" />
    </>
  ),
  check: <path d="m5 12.5 4.6 4.6L19 7.5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  plus: <path d="M12 5.5v13M5.5 12h13" />,
  minus: <path d="M5.5 12h13" />,
  down: <path d="m6.5 9.5 5.5 5.5 5.5-5.5" />,
  right: <path d="m9.5 6.5 5.5 5.5-5.5 5.5" />,
  left: <path d="M14.5 6.5 9 12l5.5 5.5" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M15.5 8.5V5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3" />
    </>
  ),
  share: <path d="M12 14.5V4M8 7.5 12 3.8l4 3.7M6.5 11H5v9h14v-9h-1.5" />,
  eye: (
    <>
      <path d="M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12Z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  "eye-off": (
    <>
      <path d="M9.8 6.1A8.6 8.6 0 0 1 12 5.8c6 0 9.2 6.2 9.2 6.2a15 15 0 0 1-2.5 3.3M6.2 7.8A14.6 14.6 0 0 0 2.8 12S6 18.2 12 18.2a8.8 8.8 0 0 0 4-1" />
      <path d="m4 4 16 16" />
    </>
  ),
  trash: <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7" />,
  filter: <path d="M4 7h16M7 12h10M10 17h4" />,
  mail: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
      <path d="m4 7 8 6.5L20 7" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 11v5" />
      <path d="M12 8v.1" strokeWidth="2" />
    </>
  ),
  warn: (
    <>
      <path d="M12 4.5 21 19.5H3Z" />
      <path d="M12 10.5V14" />
      <path d="M12 16.8v.1" strokeWidth="2" />
    </>
  ),
  desktop: (
    <>
      <rect x="3.5" y="5" width="17" height="11" rx="1.5" />
      <path d="M9 19.5h6M12 16v3.5" />
    </>
  ),
  phone: (
    <>
      <rect x="7" y="3.5" width="10" height="17" rx="2" />
      <path d="M11 17.5h2" />
    </>
  ),
  card: (
    <>
      <rect x="3" y="5.5" width="18" height="13" rx="2" />
      <path d="M3 10h18M6.5 15h3.5" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof DRAWINGS;

/**
 * A decorative icon. The adjacent text or the `aria-label` of its button provides the meaning. It is a client
 * component, so the page carries the icon's name and not its paths a second time.
 */
export function Icon({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames("icon", className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
    >
      {DRAWINGS[name]}
    </svg>
  );
}
