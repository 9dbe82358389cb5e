"use client";

import { useEffect, useState } from "react";
import type { FreeVoucher } from "@/lib/coupons/contract";

let request: Promise<FreeVoucher[] | null> | undefined;

/** The user's state of the free vouchers, requested once per page for all components. Null until it is loaded. */
export function useVouchers(signedIn: boolean): FreeVoucher[] | null {
  const [vouchers, setVouchers] = useState<FreeVoucher[] | null>(null);
  useEffect(() => {
    if (!signedIn) return;
    request ??= load();
    void request.then(setVouchers);
    return () => {
      request = undefined;
    };
  }, [signedIn]);
  return vouchers;
}

async function load(): Promise<FreeVoucher[] | null> {
  try {
    const { api } = await import("@/lib/platform/api/client");
    const result = await api.get("/voucher/free/status");
    return result.ok ? result.data.items : null;
  } catch {
    return null;
  }
}
