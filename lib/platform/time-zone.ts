/** The browser sends the reader's time zone in this header, as GitHub's API does; other values are ignored. */
export const TIME_ZONE_HEADER = "time-zone";

/** `Temporal` where the browser has it: it responds immediately, while the first `Intl` format takes 40 ms. */
declare const Temporal: { Now: { timeZoneId(): string } } | undefined;

/** The browser's time zone; UTC where it is unknown. Slow on the first call in a browser without `Temporal`. */
export const browserTimeZone = (): string =>
  (typeof Temporal === "undefined"
    ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : Temporal.Now.timeZoneId()) || "UTC";
