import { z } from "zod";
import type { PassType } from "@/lib/catalog/rules";
import { RefundRequestState } from "@/lib/payments/refunds/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { VENDOR_ANSWERS, type VendorAnswer } from "./rules";

/** `POST /order/vendor-confirmation`: the vendor's answer, sent from the page behind the signed link. */
export const VendorAnswerInput = z.object({ token: z.string().min(1).max(2000) });
export type VendorAnswerInput = z.output<typeof VendorAnswerInput>;

export const VendorAnswerView = z.object({
  answer: z.enum(VENDOR_ANSWERS),
  /** false: decided before */
  decided: z.boolean(),
  state: RefundRequestState.shape.state,
});
export type VendorAnswerView = z.output<typeof VendorAnswerView>;

/** What the page behind the vendor's link shows. */
export type VendorConfirmation = {
  answer: VendorAnswer;
  state: RefundRequestState["state"];
  product: string;
  language: Locale;
  vip_type: PassType;
  duration_days: number | null;
  sold_at: Date;
  answer_by: Date;
  late: boolean;
};
