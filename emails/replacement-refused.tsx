import { Action, Paragraph, Quiet, TextLink, Title } from "./parts";
import { OrderNumber, PassHead, type PassLine, summary } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type ReplacementRefusedProps = {
  orderId: string;
  pass: PassLine;
  /** Why, in the words of staff. */
  note: string;
  /** Where to write when it is not right. */
  support: string;
};

export const replacementRefusedMail: MailTemplate<ReplacementRefusedProps> = {
  subject: ({ pass }, context) =>
    context.t("replacement_refused.subject", { summary: summary([pass], context) }),
  preview: (_, { t }) => t("replacement_refused.lead"),
  body: ({ orderId, pass, note, support }, context) => {
    const { t, link } = context;
    return (
      <>
        <Title>{t("replacement_refused.title")}</Title>
        <Paragraph>{t("replacement_refused.lead")}</Paragraph>
        <Paragraph>{t("replacement_refused.note", { note })}</Paragraph>
        <Ticket
          stub={
            <Quiet>
              {t("replacement_refused.wrong")} <TextLink href={`mailto:${support}`}>{support}</TextLink>
            </Quiet>
          }
        >
          <PassHead line={pass} context={context} />
        </Ticket>
        <Action href={link("/library")}>{t("order.library")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
