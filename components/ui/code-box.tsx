"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";

/** A secret code, masked without `code`. The page does not contain the secret before the reveal. */
export function CodeBox({
  masked,
  code,
  pending,
  labels,
  onReveal,
}: {
  masked: string;
  code?: string;
  pending?: boolean;
  labels: { label: string; reveal: string; copy: string; copied: string; failed: string };
  onReveal: () => void;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <p
        className="flex min-h-11 flex-[1_1_8rem] items-center rounded-control bg-sunk px-3 py-1.5 font-mono text-13 break-all"
        // A code must not be translated.
        translate="no"
      >
        <span className="sr-only">{labels.label} </span>
        <span className={code ? "select-all" : "text-quiet"} aria-live="polite">
          {code ?? masked}
        </span>
      </p>
      {code ? (
        <CopyButton text={code} labels={labels} />
      ) : (
        <Button pending={pending} onClick={onReveal}>
          <Icon name="eye" size={18} />
          {labels.reveal}
        </Button>
      )}
    </div>
  );
}
