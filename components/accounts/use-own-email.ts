"use client";

import { type RefObject, useEffect } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";

/**
 * Fills in the email of the signed-in customer, unless something was typed. The page is cached, so the address is
 * loaded afterwards.
 */
export function useOwnEmail(form: RefObject<HTMLFormElement | null>): void {
  const signedIn = useSessionSummary()?.signedIn === true;
  useEffect(() => {
    if (!signedIn) return;
    const fill = async () => {
      const { api } = await import("@/lib/platform/api/client");
      const account = await api.get("/auth/get-info");
      const field = form.current?.querySelector<HTMLInputElement>("input[name=email]");
      if (account.ok && field && field.value === "") field.value = account.data.user_email;
    };
    fill().catch(() => {}); // The customer types it.
  }, [signedIn, form]);
}
