import { useTranslations } from "next-intl";
import type { Tone } from "@/components/console/pill";

const TONES: Record<string, Tone> = {
  needs_response: "bad",
  warning_needs_response: "bad",
  under_review: "warn",
  warning_under_review: "warn",
  won: "good",
  prevented: "good",
};

/** The provider's words about a dispute in the reader's language; unknown ones as they are. */
export function useDisputeTexts() {
  const t = useTranslations("console.disputes");
  const translate = (group: "statuses" | "reasons", word: string) => {
    const key = `${group}.${word}` as "statuses.won";
    return t.has(key) ? t(key) : word;
  };
  return {
    status: (word: string) => translate("statuses", word),
    reason: (word: string) => translate("reasons", word),
    tone: (word: string): Tone => TONES[word] ?? "plain",
  };
}
