import type { SyntheticEvent } from "react";
import { foldCode } from "@/lib/platform/fold-text";

/** The digits of what was typed, also in full width; other characters are dropped. */
export const typedDigits = (text: string, length: number): string =>
  foldCode(text).replace(/\D/g, "").slice(0, length);

/** Whether an input method composes. Until it ends (`compositionend`), a changed value would break its text. */
export const isComposing = ({ nativeEvent }: SyntheticEvent): boolean =>
  "isComposing" in nativeEvent && nativeEvent.isComposing === true;
