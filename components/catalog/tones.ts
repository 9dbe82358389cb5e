/** The tone of a remark. */
export type Tone = "good" | "warn" | "bad" | "quiet";

export const TONES: Record<Tone, string> = {
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  quiet: "text-quiet",
};
