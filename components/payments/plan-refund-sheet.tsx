"use client";

import { useEffect, useId, useRef } from "react";
import { Link } from "@/components/ui/link";
import { Sheet } from "@/components/ui/sheet";
import type { RefundSheet } from "@/lib/payments/refunds/contract";
import { api } from "@/lib/platform/api/client";
import { RefundBar } from "./refund-bar";

/**
 * Loads the sheet of a plan: a component that is open while it is rendered.
 * @throws Error when it cannot be loaded
 */
export async function loadRefundSheet(planId: number) {
  const result = await api.get("/product/refund", { vip_id: planId });
  if (!result.ok) throw new Error(result.message);
  return ({ onClose }: { onClose: () => void }) => <PlanRefundSheet sheet={result.data} onClose={onClose} />;
}

function PlanRefundSheet({ sheet, onClose }: { sheet: RefundSheet; onClose: () => void }) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const onCloseRef = useRef(onClose);
  onCloseRef.current = onClose;
  useEffect(() => {
    const popover = place.current?.querySelector<HTMLElement>("[popover]");
    if (!popover) return;
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") onCloseRef.current();
    };
    popover.addEventListener("toggle", onToggle);
    popover.showPopover();
    popover.querySelector("button")?.focus();
    return () => popover.removeEventListener("toggle", onToggle);
  }, []);
  return (
    <div ref={place}>
      <Sheet id={id} title={sheet.title} closeLabel={sheet.close}>
        <div className="flex flex-col gap-4">
          <p className="font-medium">{sheet.sentence}</p>
          {sheet.bars.length > 0 && (
            <div aria-hidden className="flex flex-col gap-2">
              {sheet.bars.map((bar) => (
                <RefundBar key={bar.label} {...bar} all={sheet.all} />
              ))}
              <div className="flex justify-between text-13 text-quiet">
                <span>{sheet.first}</span>
                <span>{sheet.last}</span>
              </div>
            </div>
          )}
          {sheet.notes.length > 0 && (
            <ul className="list-disc space-y-1.5 pl-5">
              {sheet.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Link href="/refund-policy" className="underline">
            {sheet.policy}
          </Link>
        </div>
      </Sheet>
    </div>
  );
}
