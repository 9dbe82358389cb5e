import type { CSSProperties } from "react";

const STAR = "m12 3.6 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8Z";

/** A rating as stars in half steps. `label` is its text for screen readers. */
export function Stars({ rating, label }: { rating: number; label: string }) {
  const stars = { "--stars": Math.round(2 * rating) / 2 } as CSSProperties;
  return <span role="img" aria-label={label} className="stars" style={stars} />;
}

/** A star: empty, half or full. */
export function Star({ filled, size = 18 }: { filled: number; size?: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" width={size} height={size} className="flex-none">
      <path d={STAR} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      {filled > 0 && (
        <path d={STAR} fill="currentColor" style={{ clipPath: `inset(0 ${(1 - filled) * 100}% 0 0)` }} />
      )}
    </svg>
  );
}
