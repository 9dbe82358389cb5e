/** The vendor's possible answers. */
export const VENDOR_ANSWERS = ["used", "unused"] as const;
export type VendorAnswer = (typeof VENDOR_ANSWERS)[number];

/** Identifies a code in the vendor's own list without naming it. */
export type CodeReference = {
  /** The first 8 hexadecimal digits of the SHA-256 of the code as imported. */
  digest: string;
  /** The last four characters; null for short codes. */
  ending: string | null;
};
