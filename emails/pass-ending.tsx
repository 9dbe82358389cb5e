import { REMIND_BEFORE, type Reminder } from "@/lib/delivery/rules";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { OrderNumber, PassHead, type PassLine, passHoles, summarizeLines } from "./pass";
import type { MailContext, MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type PassEndingProps = {
  /** null: a gift, whose order is the giver's */
  orderId: string | null;
  pass: PassLine;
  /** What the reminder is about: the end of the pass, the redemption deadline of its code, or its turn after another one. */
  reminder: Reminder;
  at: Date;
};

const lead = ({ reminder, at }: PassEndingProps, { t, locale, timeZone }: MailContext) =>
  reminder === "redeem_by"
    ? t("pass_ending.redeem_by.lead", { date: formatDate(at, locale) }) // a calendar day in UTC
    : t(`pass_ending.${reminder}.lead`, { moment: formatMoment(at, locale, timeZone) });

/** When the reminder of an end goes out. */
function remindedAt(end: Date, { durationDays }: PassLine): Date {
  const days = REMIND_BEFORE.find(({ fromDays }) => (durationDays ?? 0) >= fromDays)?.days ?? 0;
  return new Date(end.getTime() - days * 86_400_000);
}

export const passEndingMail: MailTemplate<PassEndingProps> = {
  subject: ({ reminder, pass }, context) =>
    context.t(`pass_ending.${reminder}.subject`, { summary: summarizeLines([pass], context) }),
  preview: lead,
  body(props, context) {
    const { t, link } = context;
    const { reminder, pass, orderId, at } = props;
    const running = reminder === "ends" ? { end: at, now: remindedAt(at, pass) } : undefined;
    return (
      <>
        <Title>{t(`pass_ending.${reminder}.title`)}</Title>
        <Paragraph>{lead(props, context)}</Paragraph>
        <Ticket
          holes={passHoles(pass, context, running)}
          stub={<Quiet>{t(`pass_ending.${reminder}.note`)}</Quiet>}
        >
          <PassHead line={pass} context={context} />
        </Ticket>
        <Action href={link("/library")}>{t("order.library")}</Action>
        {orderId && <OrderNumber orderId={orderId} context={context} />}
      </>
    );
  },
};
