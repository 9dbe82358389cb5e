import { z } from "zod";
import type { PassType } from "@/lib/catalog/rules";
import { RefundRequestState } from "@/lib/payments/refunds/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { MAKER_ANSWERS, type MakerAnswer } from "./rules";

/** `POST /order/maker-answer`: what a maker presses behind the signed link of the question. */
export const MakerAnswerInput = z.object({ token: z.string().min(1).max(2000) });
export type MakerAnswerInput = z.output<typeof MakerAnswerInput>;

export const MakerAnswerView = z.object({
  answer: z.enum(MAKER_ANSWERS),
  /** false: it was decided before */
  decided: z.boolean(),
  state: RefundRequestState.shape.state,
});
export type MakerAnswerView = z.output<typeof MakerAnswerView>;

/** What the page behind a link of the question shows. */
export type MakerQuestion = {
  answer: MakerAnswer;
  state: RefundRequestState["state"];
  product: string;
  language: Locale;
  vip_type: PassType;
  duration_days: number | null;
  sold_at: Date;
  answer_by: Date;
  late: boolean;
};
