"use client";

import { useApproximate } from "@/components/shell/currency";
import { useSurface } from "@/components/ui/surface";

/** A price in the reader's currency, marked as approximate: "≈ ¥1,500". The browser fills it in. */
export function ApproximatePrice({ cents }: { cents: number }) {
  const { locale } = useSurface();
  const text = useApproximate(cents, locale);
  return text && <p className="figures text-13 text-quiet">{text}</p>;
}
