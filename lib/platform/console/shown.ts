import { ShopError } from "@/lib/platform/errors";

/** @throws ShopError revision_conflict: it was rewritten since, or the decision names no version */
export function requireShown(seen: string | undefined, version: string): void {
  if (seen !== version) throw new ShopError("revision_conflict");
}
