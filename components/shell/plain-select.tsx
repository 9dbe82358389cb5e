"use client";

import { Icon, type IconName } from "@/components/ui/icon";

export type PlainOption = { value: string; text: string; lang?: string };

/**
 * A native list without a border, for header and footer. It is as wide as the selected text: the widest would load fonts
 * that the page does not use. `compact` shows the icon alone.
 */
export function PlainSelect({
  label,
  icon,
  options,
  value,
  onChoose,
  onFocus,
  compact = false,
}: {
  label: string;
  icon: IconName;
  options: readonly PlainOption[];
  value: string;
  onChoose: (value: string) => void;
  onFocus?: () => void;
  compact?: boolean;
}) {
  return (
    <label className="relative inline-flex items-center rounded-control hover:bg-tint">
      <span className="sr-only">{label}</span>
      <Icon name={icon} className={`pointer-events-none absolute ${compact ? "left-3" : "left-2.5"}`} />
      <select
        value={value}
        autoComplete="off"
        onFocus={onFocus}
        onChange={(event) => onChoose(event.target.value)}
        className={`field-sizing-content min-h-11 cursor-pointer appearance-none rounded-control bg-transparent font-medium [&>option]:bg-raised [&>option]:text-ink ${compact ? "w-11 text-transparent" : "pr-8 pl-9.5"}`}
      >
        {options.map(({ text, ...option }) => (
          <option key={option.value} {...option}>
            {text}
          </option>
        ))}
      </select>
      {!compact && (
        <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
      )}
    </label>
  );
}
