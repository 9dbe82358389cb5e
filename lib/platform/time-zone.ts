/** The browser sends the reader's time zone in this header, as GitHub's API does; other values are ignored. */
export const TIME_ZONE_HEADER = "time-zone";

/** The browser's time zone; UTC where it is unknown. The first call in a browser is slow. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
