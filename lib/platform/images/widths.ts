/** The only widths at which pictures are served, in pixels; anything else would let strangers fill the cache. */
export const IMAGE_WIDTHS = [96, 192, 320, 480, 640, 960] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];
