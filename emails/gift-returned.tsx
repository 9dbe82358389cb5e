import { Action, Paragraph, Quiet, SideLink, Title } from "./parts";
import { OrderNumber, orderPath, PassHead, type PassLine, passHoles, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type GiftReturnedProps = { orderId: string; passes: PassLine[] };

export const giftReturnedMail: MailTemplate<GiftReturnedProps> = {
  subject: ({ passes }, context) =>
    context.t("gift_returned.subject", { summary: summarizeLines(passes, context) }),
  preview: (_, { t }) => t("gift_returned.lead"),
  body: ({ orderId, passes }, context) => {
    const { t, link } = context;
    return (
      <>
        <Title>{t("gift_returned.title")}</Title>
        <Paragraph>{t("gift_returned.lead")}</Paragraph>
        {passes.map((pass) => (
          <Ticket
            holes={passHoles(pass, context)}
            key={pass.lineId}
            stub={<Quiet>{t("code.kept", { count: pass.quantity })}</Quiet>}
          >
            <PassHead line={pass} context={context} />
          </Ticket>
        ))}
        <Action href={link("/library")}>{t("order.library")}</Action>
        <SideLink href={link(orderPath(orderId))}>{t("order.open")}</SideLink>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
