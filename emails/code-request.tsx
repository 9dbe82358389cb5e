import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { PassHead, type PassLine, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type CodeRequestProps = {
  pass: PassLine;
  /** the merchant's place in addresses */
  handle: string;
  askedAt: Date;
  /** a second email, because no one has answered for a day */
  reminder: boolean;
};

/** Asks a merchant to answer a buyer whose code does not work. It names neither the buyer nor the code. */
export const codeRequestMail: MailTemplate<CodeRequestProps> = {
  subject: ({ pass, reminder }, { t }) =>
    t(reminder ? "code_request.reminder" : "code_request.subject", { product: pass.productName }),
  preview: ({ askedAt }, { t, locale, timeZone }) =>
    t("code_request.lead", { moment: formatMoment(askedAt, locale, timeZone) }),
  body({ pass, handle, askedAt }, context) {
    const { t, locale, timeZone, link } = context;
    return (
      <>
        <Title>{t("code_request.title")}</Title>
        <Paragraph>{t("code_request.lead", { moment: formatMoment(askedAt, locale, timeZone) })}</Paragraph>
        <Ticket holes={passHoles(pass, context)} stub={<Quiet>{t("code_request.reference")}</Quiet>}>
          <PassHead line={pass} context={context} />
        </Ticket>
        <Action href={link(`/merchant/${handle}/requests`)}>{t("code_request.action")}</Action>
      </>
    );
  },
};
