import { createHash } from "node:crypto";
import type { Reason } from "@/lib/platform/error-messages";
import type { CatalogRecord } from "./contract";

/** The hash of a line's content and picture. */
export const lineHash = (line: CatalogRecord, picture: { hash: string } | null): string =>
  createHash("sha256")
    .update(JSON.stringify(line) + (picture?.hash ?? ""))
    .digest("hex");

/** Why the database rejects a content; null for other errors. */
export function rejectionReason(error: unknown): Reason | null {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, constraint_name: constraint } = cause as { code?: string; constraint_name?: string };
  if (!/^2[23]/.test(code ?? "")) return null;
  if (constraint === "deals_claimed")
    return { message: "The deal has fewer units than were sold already.", error: "line_deal_units" };
  return { error: "line_refused", message: `The database refuses the line (${constraint ?? code}).` };
}
