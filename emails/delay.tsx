import { formatDate, formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { OrderNumber, orderPath, Paid, PassHead, type PassLine, passHoles, summarizeLines } from "./pass";
import type { MailContext, MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type WaitingPass = PassLine & {
  /** The release day of a pre-ordered pass; null if the line waits for stock. */
  releasesAt: Date | null;
  /** When an undelivered line is refunded (order_lines.deliver_by). */
  deliverBy: Date;
};

/** `waiting`: the lines that could not be delivered immediately, with the missing quantity. */
export type DelayProps = {
  orderId: string;
  /** What the order cost, in cents. */
  totalCents: number;
  waiting: WaitingPass[];
};

const isPreOrder = ({ waiting }: DelayProps) => waiting.every((pass) => pass.releasesAt !== null);

export const delayMail: MailTemplate<DelayProps> = {
  subject: (props, context) =>
    context.t(isPreOrder(props) ? "delay.subject_release" : "delay.subject_stock", {
      summary: summarizeLines(props.waiting, context),
    }),
  preview: (_, { t }) => t("delay.lead"),
  body(props, context) {
    const { t, link } = context;
    return (
      <>
        <Title>{t(isPreOrder(props) ? "delay.title_release" : "delay.title_stock")}</Title>
        <Paragraph>{t("delay.lead")}</Paragraph>
        {props.waiting.map((pass) => (
          <Ticket
            holes={passHoles(pass, context)}
            key={pass.lineId}
            stub={<Dates pass={pass} context={context} />}
          >
            <PassHead line={pass} context={context} />
          </Ticket>
        ))}
        <Action href={link(orderPath(props.orderId))}>{t("order.open")}</Action>
        <Paid orderId={props.orderId} totalCents={props.totalCents} context={context} />
        <OrderNumber orderId={props.orderId} context={context} />
      </>
    );
  },
};

function Dates({ pass, context: { t, locale, timeZone } }: { pass: WaitingPass; context: MailContext }) {
  return (
    <>
      <Quiet>
        {pass.releasesAt
          ? t("delay.line_release", { date: formatDate(pass.releasesAt, locale, timeZone) })
          : t("delay.line_stock")}
      </Quiet>
      <Paragraph>{t("delay.line_by", { moment: formatMoment(pass.deliverBy, locale, timeZone) })}</Paragraph>
    </>
  );
}
