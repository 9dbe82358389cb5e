"use client";

import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { isComposing } from "@/components/ui/typed-digits";
import { parseTypedNumber } from "@/lib/platform/typed-number";

/** The quantity from 1 to `max` that is nearest to a number; a number that is not whole changes nothing. */
export const settleQuantity = (next: number, value: number, max: number): number =>
  Math.min(max, Math.max(1, Number.isInteger(next) ? next : value));

/**
 * Typed input is validated on blur; what is not a whole number changes nothing. `onCapped` is called when more than
 * `max` was requested.
 */
export function QuantityStepper({
  value,
  max = 99,
  labels,
  onChange,
  onCapped,
}: {
  value: number;
  max?: number;
  labels: { label: string; less: string; more: string };
  onChange: (value: number) => void;
  onCapped?: () => void;
}) {
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);

  const settle = (next: number) => {
    const settled = settleQuantity(next, value, max);
    setTyped(String(settled));
    if (next > max) onCapped?.();
    if (settled !== value) onChange(settled);
  };
  const step = (by: 1 | -1, label: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={by < 0 ? value <= 1 : value >= max}
      onClick={() => settle(value + by)}
      className="hit grid cursor-pointer place-items-center rounded-control disabled:cursor-not-allowed disabled:opacity-35"
    >
      <Icon name={by < 0 ? "minus" : "plus"} size={18} />
    </button>
  );

  return (
    <div className="inline-flex items-center rounded-control border border-control bg-raised">
      {step(-1, labels.less)}
      <input
        type="text"
        inputMode="numeric"
        aria-label={labels.label}
        value={typed}
        maxLength={9}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => settle(parseTypedNumber(typed))}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "ArrowUp") settle(value + 1);
          else if (event.key === "ArrowDown") settle(value - 1);
          else if (event.key === "Enter") settle(parseTypedNumber(typed));
          else return;
          event.preventDefault();
        }}
        className="figures h-11 w-9 bg-transparent text-center font-semibold"
      />
      {step(1, labels.more)}
    </div>
  );
}
