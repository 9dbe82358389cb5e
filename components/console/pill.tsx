import { classNames } from "@/components/ui/class-names";

const TONES = {
  plain: "border-hairline text-quiet",
  good: "border-good text-good",
  warn: "border-warn text-warn",
  bad: "border-bad text-bad",
} as const;
export type Tone = keyof typeof TONES;

/** A state as a word with a border. */
export function Pill({ tone = "plain", children }: { tone?: Tone; children: string }) {
  return (
    <span
      className={classNames(
        "inline-block rounded-small border px-1.5 text-13 whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
