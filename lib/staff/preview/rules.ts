import type { KeyEvent } from "@/lib/delivery/rules";

/** What can happen to codes by an action: the events of their custody. */
export const CODE_CHANGES = [
  "reserved",
  "released",
  "assigned",
  "quarantined",
  "revoked",
  "restocked",
] as const satisfies readonly KeyEvent[];
export type CodeChange = (typeof CODE_CHANGES)[number];
