import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

type LowPlan = {
  name: string;
  label: string;
  available: number;
  /** of cover at the present rate; null: nothing was sold lately */
  days: number | null;
};

/** Tells the owners of a merchant which plans run low. It names numbers, never a code. */
export const stockLowMail: MailTemplate<{ handle: string; plans: LowPlan[] }> = {
  subject: ({ plans }, { t }) =>
    t("stock_low.subject", { product: plans[0]?.name ?? "", more: plans.length - 1 }),
  preview: (_, { t }) => t("stock_low.lead"),
  body: ({ handle, plans }, { t, link }) => (
    <>
      <Title>{t("stock_low.title")}</Title>
      <Paragraph>{t("stock_low.lead")}</Paragraph>
      {plans.map(({ name, label, available, days }) => (
        <Paragraph key={`${name} ${label}`}>
          <strong>{`${name} · ${label}`}</strong>
          <br />
          {t("stock_low.left", { count: available })}
          {days !== null && ` · ${t("stock_low.days", { count: days })}`}
        </Paragraph>
      ))}
      <Action href={link(`/merchant/${handle}/keys`)}>{t("stock_low.action")}</Action>
      <Quiet>{t("stock_low.once")}</Quiet>
    </>
  ),
};
