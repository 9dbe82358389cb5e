import type { CodeReference } from "@/lib/orders/vendor-confirmation/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, SideLink, Title } from "./parts";
import { PassHead, type PassLine, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type VendorConfirmationProps = {
  pass: PassLine;
  soldAt: Date;
  codes: CodeReference[];
  /** When a missing answer counts as "not used". */
  answerBy: Date;
  /** Signed tokens of the links. The linked page decides only when its button is pressed. */
  usedToken: string;
  unusedToken: string;
  /** a second email, a day before the deadline */
  reminder: boolean;
};

const path = (token: string) => `/vendor-confirmation?token=${encodeURIComponent(token)}`;

/** Asks a vendor whether the code of a pass was used, because its buyer requests a refund. */
export const vendorConfirmationMail: MailTemplate<VendorConfirmationProps> = {
  subject: ({ pass, reminder }, { t }) =>
    t(reminder ? "vendor_confirmation.reminder" : "vendor_confirmation.subject", {
      product: pass.productName,
    }),
  preview: ({ answerBy }, { t, locale, timeZone }) =>
    t("vendor_confirmation.lead", { moment: formatMoment(answerBy, locale, timeZone) }),
  body({ pass, soldAt, codes, answerBy, usedToken, unusedToken }, context) {
    const { t, locale, timeZone, link } = context;
    return (
      <>
        <Title>{t("vendor_confirmation.title", { count: codes.length })}</Title>
        <Paragraph>
          {t("vendor_confirmation.lead", { moment: formatMoment(answerBy, locale, timeZone) })}
        </Paragraph>
        <Ticket
          holes={passHoles(pass, context)}
          stub={codes.map(({ digest, ending }) => (
            <Paragraph key={digest}>
              {ending === null
                ? t("vendor_confirmation.reference_short", { digest })
                : t("vendor_confirmation.reference", { digest, ending })}
            </Paragraph>
          ))}
        >
          <PassHead line={pass} context={context} />
        </Ticket>
        <Quiet>{t("vendor_confirmation.how", { date: formatDate(soldAt, locale, timeZone) })}</Quiet>
        <Action href={link(path(unusedToken))}>{t("vendor_confirmation.unused")}</Action>
        <SideLink href={link(path(usedToken))}>{t("vendor_confirmation.used")}</SideLink>
        <Quiet>{t("vendor_confirmation.press")}</Quiet>
      </>
    );
  },
};
