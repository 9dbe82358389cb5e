/** What becomes of an announcement with time. */
export const ANNOUNCEMENT_STATES = ["scheduled", "running", "ended"] as const;
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number];

/** Characters of an announcement: two lines on a phone. */
export const MAX_ANNOUNCEMENT = 160;

/** A path of the shop without its language (`/limited-offer`; neither `//` nor `/\`), or an address with https. */
export const ANNOUNCEMENT_LINK =
  /^(?:\/(?:[^\s<>"'\\/][^\s<>"'\\]*)?|https:\/\/[\w.-]+(?:[/:?#][^\s<>"'\\]*)?)$/;
