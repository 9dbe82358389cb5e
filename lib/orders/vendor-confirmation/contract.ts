import { z } from "zod";
import type { PassType } from "@/lib/catalog/rules";
import { RefundRequestState } from "@/lib/payments/refunds/contract";
import type { Locale } from "@/lib/platform/i18n/locales";

export const VENDOR_ANSWERS = ["used", "unused"] as const;
export type VendorAnswer = (typeof VENDOR_ANSWERS)[number];

/** Identifies a code in the vendor's own list without naming it. */
export type CodeReference = {
  /** The first 8 hexadecimal digits of the SHA-256 of the code as imported. */
  digest: string;
  /** The last four characters; null for short codes. */
  ending: string | null;
};

/** `POST /order/vendor-confirmation`: the vendor's answer, sent from the page behind the signed link. */
export const VendorAnswerInput = z.object({ token: z.string().min(1).max(2000) });
export type VendorAnswerInput = z.output<typeof VendorAnswerInput>;

export const VendorAnswerView = z.object({
  answer: z.enum(VENDOR_ANSWERS),
  /** false: the request was decided earlier */
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
  pass_type: PassType;
  duration_days: number | null;
  sold_at: Date;
  answer_by: Date;
  late: boolean;
  /** of an open question: the codes that it is about now */
  codes: CodeReference[];
  /** what the form sends: it names the codes that are shown, also where the link is of a former release and names none */
  token: string;
};
