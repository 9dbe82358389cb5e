import { Action, Paragraph, Quiet, TextLink, Title } from "./parts";
import { OrderNumber, PassHead, type PassLine, passHoles, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type ReplacementRefusedProps = {
  /** null: a gift, whose order is the giver's */
  orderId: string | null;
  pass: PassLine;
  /** Staff requested it for the owner. */
  askedByStaff: boolean;
  /** The reason, written by staff. */
  note: string;
  support: string;
};

const leadOf = ({ askedByStaff }: ReplacementRefusedProps) =>
  askedByStaff ? "replacement_refused.lead_by_staff" : "replacement_refused.lead";

export const replacementRefusedMail: MailTemplate<ReplacementRefusedProps> = {
  subject: ({ pass }, context) =>
    context.t("replacement_refused.subject", { summary: summarizeLines([pass], context) }),
  preview: (props, { t }) => t(leadOf(props)),
  body: (props, context) => {
    const { orderId, pass, note, support } = props;
    const { t, link, gap } = context;
    return (
      <>
        <Title>{t("replacement_refused.title")}</Title>
        <Paragraph>{t(leadOf(props))}</Paragraph>
        <Paragraph>{t("replacement_refused.note", { note })}</Paragraph>
        <Ticket
          holes={passHoles(pass, context)}
          stub={
            <Quiet>
              {t("replacement_refused.wrong")}
              {gap}
              <TextLink href={`mailto:${support}`}>{support}</TextLink>
            </Quiet>
          }
        >
          <PassHead line={pass} context={context} />
        </Ticket>
        <Action href={link("/library")}>{t("order.library")}</Action>
        {orderId && <OrderNumber orderId={orderId} context={context} />}
      </>
    );
  },
};
