import { formatDate, formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type MerchantDigestProps = {
  handle: string;
  /** the UTC day, 2026-11-29 */
  day: string;
  units: number;
  netCents: number;
  /** open questions before refunds, and until when the first is answered */
  questions: number;
  nextDeadline: Date | null;
  /** plans whose codes run low */
  low: number;
};

/** A merchant's day: what was sold, and what waits. */
export const merchantDigestMail: MailTemplate<MerchantDigestProps> = {
  subject: ({ units, netCents }, { t, locale }) =>
    t("merchant_digest.subject", { count: units, amount: formatPrice(netCents, locale) }),
  preview: ({ questions }, { t }) => t("merchant_digest.questions", { count: questions }),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: (
    { handle, day, units, netCents, questions, nextDeadline, low },
    { t, link, locale, gap, timeZone },
  ) => (
    <>
      <Title>{t("merchant_digest.title", { day: formatDate(`${day}T12:00:00Z`, locale, "UTC") })}</Title>
      <Paragraph>
        {t("merchant_digest.sold", { count: units, amount: formatPrice(netCents, locale) })}
      </Paragraph>
      {questions > 0 && (
        <Paragraph>
          <strong>{t("merchant_digest.questions", { count: questions })}</strong>
          {nextDeadline &&
            `${gap}${t("merchant_digest.until", { moment: formatMoment(nextDeadline, locale, timeZone) })}`}
        </Paragraph>
      )}
      {low > 0 && <Paragraph>{t("merchant_digest.low", { count: low })}</Paragraph>}
      <Action href={link(`/merchant/${handle}${questions > 0 ? "/requests" : ""}`)}>
        {t(questions > 0 ? "merchant_digest.answer" : "merchant_digest.action")}
      </Action>
      <Quiet>{t("merchant_digest.switch")}</Quiet>
    </>
  ),
};
