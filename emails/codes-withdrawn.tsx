import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";
import type { MailTranslator } from "./translator";

export type CodesWithdrawnProps = {
  handle: string;
  batchId: string;
  /** The name of the batch. */
  batch: string;
  /** Who withdrew them: an address, or the name of a token; null: staff. */
  by: string | null;
  withdrawn: number;
  /** Until when they can be put back on sale; null: they stay withdrawn. */
  undoUntil: Date | null;
  support: string;
};

/** Tells the owners of a merchant that unsold codes were withdrawn. It names numbers, never a code. */
export const codesWithdrawnMail: MailTemplate<CodesWithdrawnProps> = {
  subject: ({ withdrawn, batch }, { t }) => t("codes_withdrawn.subject", { count: withdrawn, batch }),
  preview: ({ by, withdrawn }, { t }) => leadOf(by, withdrawn, t),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: ({ handle, batchId, batch, by, withdrawn, undoUntil, support }, { t, link, locale, timeZone }) => (
    <>
      <Title>{t("codes_withdrawn.title", { batch })}</Title>
      <Paragraph>{leadOf(by, withdrawn, t)}</Paragraph>
      {undoUntil ? (
        <Paragraph>
          {t("codes_withdrawn.undo", { moment: formatMoment(undoUntil, locale, timeZone) })}
        </Paragraph>
      ) : (
        <Paragraph>{t("codes_withdrawn.stays", { support })}</Paragraph>
      )}
      <Action href={link(`/merchant/${handle}/keys/batches/${batchId}`)}>
        {t("codes_withdrawn.action")}
      </Action>
      {by && <Quiet>{t("codes_withdrawn.unknown")}</Quiet>}
    </>
  ),
};

const leadOf = (by: string | null, count: number, t: MailTranslator): string =>
  by ? t("codes_withdrawn.lead", { by, count }) : t("codes_withdrawn.lead_shop", { count });
