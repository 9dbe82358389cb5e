"use client";

import { classNames } from "@/components/ui/class-names";

/** Stroke icons on a 24 × 24 grid, as path data. They are drawn here to avoid an icon library. */
const PATHS = {
  search: "M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0ZM16 16l4.5 4.5",
  home: "M4 10.5 12 4l8 6.5V20h-5.5v-5.5h-5V20H4Z",
  // A ticket with notches, used for offers.
  ticket: "M3.5 6.5h17v3.2a2.4 2.4 0 0 0 0 4.6v3.2h-17v-3.2a2.4 2.4 0 0 0 0-4.6Z",
  cart: "M3 4.5h2.6l2 10.2h10.2l2-7.4H6.3M7.7 19a1.3 1.3 0 1 0 2.6 0 1.3 1.3 0 1 0-2.6 0ZM15.3 19a1.3 1.3 0 1 0 2.6 0 1.3 1.3 0 1 0-2.6 0Z",
  user: "M8.3 8.2a3.7 3.7 0 1 0 7.4 0 3.7 3.7 0 1 0-7.4 0ZM4.8 20c.5-3.9 3.5-5.8 7.2-5.8s6.7 1.9 7.2 5.8",
  clock: "M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0ZM12 7.5V12l3 2",
  library: "M5 4.5v15M9.5 4.5v15M13.6 5l5 14.4",
  globe: "M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0ZM4 12h16M12 4c5 5.2 5 10.8 0 16-5-5.2-5-10.8 0-16Z",
  check: "m5 12.5 4.6 4.6L19 7.5",
  close: "m6 6 12 12M18 6 6 18",
  plus: "M12 5.5v13M5.5 12h13",
  minus: "M5.5 12h13",
  down: "m6.5 9.5 5.5 5.5 5.5-5.5",
  right: "m9.5 6.5 5.5 5.5-5.5 5.5",
  left: "M14.5 6.5 9 12l5.5 5.5",
  copy: "M10.5 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 8.5V5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3",
  share: "M12 14.5V4M8 7.5 12 3.8l4 3.7M6.5 11H5v9h14v-9h-1.5",
  eye: "M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12ZM9.2 12a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0Z",
  "eye-off":
    "M9.8 6.1A8.6 8.6 0 0 1 12 5.8c6 0 9.2 6.2 9.2 6.2a15 15 0 0 1-2.5 3.3M6.2 7.8A14.6 14.6 0 0 0 2.8 12S6 18.2 12 18.2a8.8 8.8 0 0 0 4-1M4 4l16 16",
  trash: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7",
  filter: "M4 7h16M7 12h10M10 17h4",
  mail: "M5.5 5.5h13a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM4 7l8 6.5L20 7",
  info: "M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0ZM12 11v5",
  warn: "M12 4.5 21 19.5H3ZM12 10.5V14",
  desktop:
    "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-14a1.5 1.5 0 0 1-1.5-1.5v-8a1.5 1.5 0 0 1 1.5-1.5ZM9 19.5h6M12 16v3.5",
  phone: "M9 3.5h6a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2ZM11 17.5h2",
  star: "m12 3.6 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8Z",
  heart: "M12 19.5S4 14.8 4 9.3A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 8 2.1c0 5.5-8 10.2-8 10.2Z",
  card: "M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM3 10h18M6.5 15h3.5",
};

export type IconName = keyof typeof PATHS;

/** The dots of an icon, drawn with a wider stroke. */
const DOTS: Partial<Record<IconName, string>> = {
  ticket: "M14.5 9v.1M14.5 12v.1M14.5 15v.1",
  info: "M12 8v.1",
  warn: "M12 16.8v.1",
};

/** A decorative icon. A client component, so that the page carries its name and not its paths a second time. */
export function Icon({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames("icon", className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
    >
      <path d={PATHS[name]} />
      {DOTS[name] && <path d={DOTS[name]} strokeWidth="2" />}
    </svg>
  );
}
