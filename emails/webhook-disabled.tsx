import type { DisabledReason } from "@/lib/webhooks/rules";
import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

type DisabledEndpoint = { handle: string; name: string; host: string; reason: DisabledReason };

/** Tells the owners of a merchant that the shop sends nothing more to an endpoint. */
export const webhookDisabledMail: MailTemplate<DisabledEndpoint> = {
  subject: ({ name }, { t }) => t("webhook_disabled.subject", { name }),
  preview: ({ reason, host }, { t }) =>
    t(reason === "gone" ? "webhook_disabled.gone" : "webhook_disabled.failing", { host }),
  body: ({ handle, name, host, reason }, { t, link }) => (
    <>
      <Title>{t("webhook_disabled.title", { name })}</Title>
      <Paragraph>
        {t(reason === "gone" ? "webhook_disabled.gone" : "webhook_disabled.failing", { host })}
      </Paragraph>
      <Paragraph>{t("webhook_disabled.next")}</Paragraph>
      <Action href={link(`/merchant/${handle}/webhooks`)}>{t("webhook_disabled.action")}</Action>
    </>
  ),
};
