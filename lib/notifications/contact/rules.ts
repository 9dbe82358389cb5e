/** How often an account, and an address group, may write to support. */
export const CONTACT_LIMITS = [
  { limit: 5, seconds: 3600, by: "user" },
  { limit: 20, seconds: 86_400, by: "user" },
  { limit: 5, seconds: 3600, by: "ip" },
  { limit: 20, seconds: 86_400, by: "ip" },
] as const;

/** Messages are deleted after this many days; the copy in the support's mailbox is the record. */
export const CONTACT_DAYS = 90;
