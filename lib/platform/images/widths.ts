/** The widths of served pictures in pixels. Other widths are rejected, so that requests cannot fill the cache. */
export const IMAGE_WIDTHS = [96, 192, 320, 480, 640, 960] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/** A share image in pixels: its picture is a square at its right side. */
export const SHARE_SIZE = { width: 1200, height: 630, margin: 72, picture: 400 } as const;
