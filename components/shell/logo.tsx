"use client";

/** The shop's logo: a ticket with a notch on both sides and a clock hand cut into it. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="flex-none">
      <path
        fill="currentColor"
        fillRule="evenodd"
        d="M6 3h20a4 4 0 0 1 4 4v5.2a3.8 3.8 0 0 0 0 7.6V25a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4v-5.2a3.8 3.8 0 0 0 0-7.6V7a4 4 0 0 1 4-4Zm10 5.5a7.5 7.5 0 1 0 7.5 7.5H16Z"
      />
    </svg>
  );
}
