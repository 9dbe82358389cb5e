import type { TradeField, TradeMail } from "@/lib/merchants/trade-file/rules";
import { formatDate } from "@/lib/platform/format";
import { Action, Paragraph, Title } from "./parts";
import type { MailContext, MailTemplate } from "./template";

export type TradeFileProps = {
  merchant: string;
  handle: string;
  kind: TradeMail;
  /** What is missing, expires, or is asked for again. */
  fields: TradeField[];
  /** When sales pause, or of `expiring` when the first field expires; null: neither. */
  date: Date | null;
  /** Written by staff; an empty one is left out. */
  note: string;
};

const values = ({ merchant, date }: TradeFileProps, { locale }: MailContext) => ({
  merchant,
  date: date ? formatDate(date, locale) : "",
});

const LABELS = { asked: "fields_asked", expiring: "fields_expiring" } as const;

/** Tells the owners what their business details lack, by when, and what follows. */
export const tradeFileMail: MailTemplate<TradeFileProps> = {
  subject: (props, context) => context.t(`trade_file.subject_${props.kind}`, values(props, context)),
  preview: (props, context) => context.t(`trade_file.lead_${props.kind}`, values(props, context)),
  why: ({ t, brand }) => t("trade_file.why", { brand }),
  body: (props, context) => {
    const { kind, fields, note, handle } = props;
    const { t, link } = context;
    return (
      <>
        <Title>{t(`trade_file.subject_${kind}`, values(props, context))}</Title>
        <Paragraph>{t(`trade_file.lead_${kind}`, values(props, context))}</Paragraph>
        {fields.length > 0 && (
          <Paragraph>
            <strong>
              {t(`trade_file.${kind === "asked" || kind === "expiring" ? LABELS[kind] : "fields"}`)}
            </strong>
            {fields.map((field) => (
              <span key={field}>
                <br />
                {t(`trade_file.field.${field}`)}
              </span>
            ))}
          </Paragraph>
        )}
        {note && <Paragraph>{t("trade_file.note", { note })}</Paragraph>}
        <Action href={link(`/merchant/${handle}/business`)}>{t("trade_file.action")}</Action>
      </>
    );
  },
};
