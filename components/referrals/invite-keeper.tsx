"use client";

import { useEffect } from "react";
import { captureSource } from "@/lib/platform/routing/attribution";

/** Remembers who invited, for the registration (decisions.md "Parameters of links": `invited_account`). */
export function InviteKeeper({ code }: { code: string }) {
  useEffect(() => captureSource(code), [code]);
  return null;
}
