import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type MerchantReviewProps = {
  handle: string;
  product: string;
  rating: number;
  title: string;
  content: string;
};

/** Tells a merchant of a review of its product, without the author. */
export const merchantReviewMail: MailTemplate<MerchantReviewProps> = {
  subject: ({ product, rating }, { t }) => t("merchant_review.subject", { product, rating }),
  preview: ({ title }) => title,
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: ({ handle, product, rating, title, content }, { t, link }) => (
    <>
      <Title>{t("merchant_review.title", { product })}</Title>
      <Paragraph>
        <strong>{`${"★".repeat(rating)}${"☆".repeat(5 - rating)} ${title}`}</strong>
      </Paragraph>
      <Paragraph>{content}</Paragraph>
      <Action href={link(`/merchant/${handle}/reviews`)}>{t("merchant_review.action")}</Action>
      <Quiet>{t("merchant_digest.switch")}</Quiet>
    </>
  ),
};
