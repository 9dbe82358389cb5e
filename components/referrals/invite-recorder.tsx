"use client";

import { useEffect } from "react";
import { storeAttribution } from "@/lib/platform/routing/attribution";

/** Stores the inviting user for the registration (docs/product.md#24-navigation: `invited_account`). */
export function InviteRecorder({ code }: { code: string }) {
  useEffect(() => storeAttribution(code), [code]);
  return null;
}
