import type { Tone } from "@/components/console/pill";
import type { FieldState, TradeFileState } from "@/lib/merchants/trade-file/rules";

export const FIELD_TONES: Record<FieldState, Tone> = {
  missing: "bad",
  given: "plain",
  checked: "good",
  expired: "bad",
};
export const FILE_TONES: Record<TradeFileState, Tone> = {
  incomplete: "bad",
  unchecked: "warn",
  complete: "good",
};
export const DOCUMENT_TONES = { given: "plain", checked: "good", refused: "bad" } as const satisfies Record<
  string,
  Tone
>;
