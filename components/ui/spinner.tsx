import { classNames } from "@/components/ui/class-names";

/** A decorative spinner. The loading element has `aria-busy`. */
export function Spinner({ size = 18, className }: { size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames("spinner", className)}
      width={size}
      height={size}
      viewBox="0 0 20 20"
    >
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path
        d="M10 2a8 8 0 0 1 8 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
