import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { PassHead, type PassLine, passHoles, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

/** Of what the giver typed it has only the name, which the rules of `isGiverName` restrict, and that in its body alone. */
export type GiftProps = {
  /** The secret of the link. */
  token: string;
  /** Verifies the recipient's address; in the first email alone. */
  proof: string | null;
  /** Who gives it; null: not said. */
  from: string | null;
  claimUntil: Date;
  passes: PassLine[];
};

export const giftMail: MailTemplate<GiftProps> = {
  subject: ({ passes }, context) => context.t("gift.subject", { summary: summarizeLines(passes, context) }),
  preview: (_, { t }) => t("gift.lead"),
  why: ({ t, brand }) => t("frame.why_gift", { brand }),
  body: ({ token, proof, from, claimUntil, passes }, context) => {
    const { t, link, locale, timeZone } = context;
    const until = t("gift.until", { moment: formatMoment(claimUntil, locale, timeZone) });
    return (
      <>
        <Title>{t("gift.title")}</Title>
        <Paragraph>{t("gift.lead")}</Paragraph>
        {from && <Paragraph>{t("gift.from", { name: from })}</Paragraph>}
        {passes.map((pass) => (
          <Ticket holes={passHoles(pass, context)} key={pass.lineId} stub={<Quiet>{until}</Quiet>}>
            <PassHead line={pass} context={context} />
          </Ticket>
        ))}
        <Action href={link(`/gift/${token}${proof ? `#${proof}` : ""}`)}>{t("gift.action")}</Action>
        <Quiet>{t("gift.once")}</Quiet>
      </>
    );
  },
};
