import type { WithdrawalReason } from "@/lib/orders/withdrawal/rules";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Paragraph, Quiet, SideLink, Title } from "./parts";
import { foreignLang, OrderNumber, type PassLine, Receipt, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type WithdrawalReceivedProps = {
  orderId: string;
  at: Date;
  /** The withdrawn lines, each with its refunded amount. */
  lines: PassLine[];
  amountCents: number;
  /** The lines that are not withdrawn, in whole or in part, and why. */
  kept: { line: PassLine; reason: Exclude<WithdrawalReason, "open"> }[];
  support: string;
};

/** The confirmation of a statutory withdrawal, on a durable medium. */
export const withdrawalReceivedMail: MailTemplate<WithdrawalReceivedProps> = {
  subject: ({ lines, kept }, context) =>
    context.t("withdrawal.subject", {
      summary: summarizeLines(lines.length > 0 ? lines : kept.map(({ line }) => line), context),
    }),
  preview: ({ at }, { t, locale, timeZone }) =>
    t("withdrawal.lead", { moment: formatMoment(at, locale, timeZone) }),
  body({ orderId, at, lines, amountCents, kept, support }, context) {
    const { t, locale, timeZone } = context;
    return (
      <>
        <Title>
          {lines.length > 0
            ? t("withdrawal.title", { amount: formatPrice(amountCents, locale) })
            : t("withdrawal.title_none")}
        </Title>
        <Paragraph>{t("withdrawal.lead", { moment: formatMoment(at, locale, timeZone) })}</Paragraph>
        {lines.length > 0 && (
          <>
            <Paragraph>{t("withdrawal.going")}</Paragraph>
            <Receipt lines={lines} sums={[[t("order.total"), amountCents]]} context={context} />
            <Quiet>{t("refund.when")}</Quiet>
          </>
        )}
        {kept.map(({ line, reason }) => (
          <Paragraph key={line.lineId}>
            {t.rich("withdrawal.kept", {
              name: (name) => <span lang={foreignLang(line.language, context)}>{name}</span>,
              product: line.productName,
              reason: t(`withdrawal.reason.${reason}`),
            })}
          </Paragraph>
        ))}
        <Paragraph>{t("withdrawal.wrong")}</Paragraph>
        <SideLink href={`mailto:${support}`}>{support}</SideLink>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
