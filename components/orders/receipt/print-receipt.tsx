"use client";

import { Button } from "@/components/ui/button";

/** Opens the browser's print dialog, which can also save the receipt as a file. */
export function PrintReceipt({ label }: { label: string }) {
  return (
    <Button className="print:hidden" onClick={() => print()}>
      {label}
    </Button>
  );
}
