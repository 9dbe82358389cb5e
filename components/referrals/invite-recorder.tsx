"use client";

import { useEffect } from "react";
import { storeAttribution } from "@/lib/platform/routing/attribution";

/** Remembers who invited, for the registration (decisions.md "Parameters of links": `invited_account`). */
export function InviteRecorder({ code }: { code: string }) {
  useEffect(() => storeAttribution(code), [code]);
  return null;
}
