/** The widths of served pictures in pixels. Other widths are rejected, so that requests cannot fill the cache. */
export const IMAGE_WIDTHS = [96, 192, 320, 480, 640, 960] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];
