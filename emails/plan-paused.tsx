import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type PlanPausedProps = {
  handle: string;
  productId: number;
  product: string;
  /** The labels of its plans that are paused. */
  plans: readonly string[];
  /** Who paused them: the address of a member. */
  by: string;
};

/** Tells the owners of a merchant that a member took plans of a product off sale. */
export const planPausedMail: MailTemplate<PlanPausedProps> = {
  subject: ({ product }, { t }) => t("plan_paused.subject", { product }),
  preview: ({ by }, { t }) => t("plan_paused.lead", { by }),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: ({ handle, productId, product, plans, by }, { t, link }) => (
    <>
      <Title>{t("plan_paused.title", { product })}</Title>
      <Paragraph>{t("plan_paused.lead", { by })}</Paragraph>
      {plans.map((plan) => (
        <Paragraph key={plan}>
          <strong>{`${product} · ${plan}`}</strong>
        </Paragraph>
      ))}
      <Paragraph>{t("plan_paused.undo")}</Paragraph>
      <Action href={link(`/merchant/${handle}/products/${productId}`)}>{t("plan_paused.action")}</Action>
      <Quiet>{t("codes_withdrawn.unknown")}</Quiet>
    </>
  ),
};
