/** What the press on a link of the question says. */
export const VENDOR_ANSWERS = ["used", "unused"] as const;
export type VendorAnswer = (typeof VENDOR_ANSWERS)[number];

/** How a maker finds a code in their own list without its being written out. */
export type CodeReference = {
  /** The first 8 hexadecimal digits of the SHA-256 of the code as it was handed to us. */
  digest: string;
  /** Its last four characters; null where that would be too much of a short one. */
  ending: string | null;
};
