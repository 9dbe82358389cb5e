import { useTranslations } from "next-intl";

/** The labels of the review form. */
export function useReviewLabels() {
  const t = useTranslations("reviews");
  const errors = useTranslations("errors");
  return {
    write: t("write"),
    written: t("written"),
    title: t("form_title"),
    rating: t("form_rating"),
    stars: [1, 2, 3, 4, 5].map((rating) => t("rating", { rating })),
    headline: t("form_headline"),
    content: t("form_content"),
    hint: t("form_hint"),
    submit: t("submit"),
    close: t("close"),
    thanks: t("thanks"),
    ratingMissing: errors("rating_missing"),
    titleMissing: errors("review_title_missing"),
    contentMissing: errors("review_content_missing"),
    network: errors("network"),
  };
}

export type ReviewLabels = ReturnType<typeof useReviewLabels>;
