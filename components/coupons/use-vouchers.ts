"use client";

import { useEffect, useState } from "react";
import type { FreeVoucher } from "@/lib/coupons/contract";

let asked: Promise<FreeVoucher[] | null> | undefined;

/** The user's state of the free vouchers, requested once per page for all components. Null until it is loaded. */
export function useVouchers(signedIn: boolean): FreeVoucher[] | null {
  const [mine, setMine] = useState<FreeVoucher[] | null>(null);
  useEffect(() => {
    if (!signedIn) return;
    asked ??= load();
    void asked.then(setMine);
    return () => {
      asked = undefined;
    };
  }, [signedIn]);
  return mine;
}

async function load(): Promise<FreeVoucher[] | null> {
  try {
    const { api } = await import("@/lib/platform/api/client");
    const answer = await api.get("/voucher/free/status");
    return answer.ok ? answer.data.items : null;
  } catch {
    return null;
  }
}
