"use client";

import { type ComponentType, type MouseEvent, useState } from "react";
import { Dated } from "@/components/ui/dated";
import { Link, useNavigate } from "@/components/ui/link";

const POLICY = "/refund-policy";

/**
 * A refund sentence of a plan, which opens a sheet. Page and script carry the sentence alone; without the sheet, and before
 * the script, it leads to the policy.
 */
export function RefundLink({ planId, text }: { planId: number; text: string }) {
  const navigate = useNavigate();
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }>>();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    import("./plan-refund-sheet")
      .then(({ loadRefundSheet }) => loadRefundSheet(planId))
      .then(
        (loaded) => setSheet(() => loaded),
        () => navigate(POLICY),
      );
  };
  return (
    <>
      <Link href={POLICY} aria-haspopup="dialog" className="underline" onClick={open}>
        <Dated>{text}</Dated>
      </Link>
      {Sheet && <Sheet onClose={() => setSheet(undefined)} />}
    </>
  );
}
