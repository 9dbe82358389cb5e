import type { RefundView } from "@/lib/payments/refunds/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { Code } from "./code";
import { LIGHT } from "./colours";
import { Action, Paragraph, Quiet, SideLink, TextLink, Title } from "./parts";
import {
  foreignLang,
  OrderNumber,
  type OrderSeller,
  orderPath,
  Paid,
  PassHead,
  type PassLine,
  passHoles,
  refundLine,
  SoldBy,
  summarizeLines,
} from "./pass";
import type { MailContext, MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type KeysPass = PassLine & {
  /** The decrypted codes, in the order of their slots. */
  codes: { keyId: string; code: string; redeemBy: Date | null }[];
  /** The number of codes that the buyer chose to keep in the Library. They are not in `codes`. */
  keptInLibrary: number;
  /** The vendor's page for redeeming the code. */
  redeemUrl: string | null;
  /** Activation steps, in `language`. */
  steps: string[];
  refund: RefundView;
};

export type KeysProps = {
  orderId: string;
  /** What the order cost, in cents. */
  totalCents: number;
  passes: KeysPass[];
  /** The owner of the codes, the giver of a gift, or its claimer, who sees neither order nor price. */
  reader: "owner" | "giver" | "claimer";
  /** The day on which the gift goes to its recipient, as a time at its start in UTC; null: no gift, or at once. */
  giftDay: Date | null;
  /** The statutory right of withdrawal applies to the buyer. */
  withdrawal: boolean;
  /** When the buyer agreed to immediate delivery. The law requires a confirmation on a durable medium. */
  agreedAt: Date | null;
  /** Every code of the email replaces an earlier one, which is revoked. */
  replacement: boolean;
  /** Who sells the passes; a claimer, who bought nothing, is not told. */
  sellers: OrderSeller[];
};

const countCodes = ({ passes }: KeysProps) => passes.reduce((sum, pass) => sum + pass.codes.length, 0);

/** The email is about codes in place of earlier ones, to whom they belong. */
const isReplacement = ({ reader, replacement }: KeysProps) => replacement && reader !== "giver";

/** Says that the earlier codes no longer work. */
const replaced = (props: KeysProps, { t }: MailContext) =>
  t("keys.replaced", {
    count: props.passes.reduce((sum, pass) => sum + pass.keptInLibrary, countCodes(props)),
  });

/** The recipient is not named, because the giver typed the address and may not have a verified one. */
const lead = (props: KeysProps, { t, locale }: MailContext) =>
  props.reader === "giver"
    ? props.giftDay
      ? t("keys.gift_lead", { date: formatDate(props.giftDay, locale) })
      : t("keys.gift_lead_now")
    : t(props.withdrawal && props.reader === "owner" ? "keys.lead" : "keys.lead_plain", {
        count: countCodes(props),
      });

export const keysMail: MailTemplate<KeysProps> = {
  subject(props, context) {
    const values = { count: countCodes(props), summary: summarizeLines(props.passes, context) };
    if (isReplacement(props)) return context.t("keys.replacement_subject", values);
    return context.t(props.reader === "giver" ? "keys.gift_subject" : "keys.subject", values);
  },
  preview: (props, context) => (isReplacement(props) ? replaced : lead)(props, context),
  body(props, context) {
    const { t, link } = context;
    const count = countCodes(props);
    const { reader } = props;
    return (
      <>
        <Title>
          {reader === "giver"
            ? t("keys.gift_title")
            : t(isReplacement(props) ? "keys.replacement_title" : "keys.title", { count })}
        </Title>
        {isReplacement(props) && <Paragraph>{replaced(props, context)}</Paragraph>}
        <Paragraph>{lead(props, context)}</Paragraph>
        {props.passes.map((pass) => (
          <Ticket
            holes={passHoles(pass, context)}
            key={pass.lineId}
            stub={<Stub pass={pass} reader={reader} context={context} />}
          >
            <PassHead line={pass} context={context} />
          </Ticket>
        ))}
        {reader !== "giver" && <Action href={link("/library")}>{t("order.library")}</Action>}
        {reader === "giver" && <Action href={link(orderPath(props.orderId))}>{t("order.open")}</Action>}
        {reader === "owner" && <SideLink href={link(orderPath(props.orderId))}>{t("order.open")}</SideLink>}
        {reader !== "claimer" && (
          <Paid orderId={props.orderId} totalCents={props.totalCents} context={context} />
        )}
        {props.agreedAt && reader === "owner" && (
          <Quiet>
            {t(props.withdrawal ? "keys.agreed" : "keys.agreed_plain", {
              moment: formatMoment(props.agreedAt, context.locale, context.timeZone),
            })}
          </Quiet>
        )}
        {reader !== "claimer" && <SoldBy sellers={props.sellers} context={context} />}
        {reader !== "claimer" && <OrderNumber orderId={props.orderId} context={context} />}
      </>
    );
  },
};

type PassProps = { pass: KeysPass; context: MailContext };

function Stub({ pass, reader, context }: PassProps & Pick<KeysProps, "reader">) {
  const { t, locale } = context;
  const total = pass.codes.length;
  const label = (index: number, redeemBy: Date | null) => {
    const name = total === 1 ? t("code.one") : t("code.many", { number: index + 1, total });
    return redeemBy ? `${name} · ${t("code.redeem_by", { date: formatDate(redeemBy, locale) })}` : name;
  };
  return (
    <>
      {pass.codes.map(({ code, redeemBy }, index) => (
        <Code key={code} value={code} label={label(index, redeemBy)} />
      ))}
      {pass.keptInLibrary > 0 && reader !== "giver" && (
        <Quiet>{t("code.kept", { count: pass.keptInLibrary })}</Quiet>
      )}
      {total > 0 && <Activation pass={pass} context={context} />}
      {reader !== "claimer" && <Quiet>{refundLine(pass.refund, context)}</Quiet>}
    </>
  );
}

function Activation({ pass: { steps, redeemUrl, language }, context }: PassProps) {
  const { t } = context;
  const item = { color: LIGHT.ink, fontSize: 15, lineHeight: "24px", margin: "2px 0 0" };
  return (
    <>
      {steps.length > 0 && (
        <>
          <div className="ink" style={{ ...item, fontWeight: 600, marginTop: 18 }}>
            {t("code.steps")}
          </div>
          <ol lang={foreignLang(language, context)} style={{ margin: "2px 0 0", paddingLeft: 22 }}>
            {steps.map((step) => (
              <li key={step} className="ink" style={item}>
                {step}
              </li>
            ))}
          </ol>
        </>
      )}
      {redeemUrl && (
        <Paragraph>
          <TextLink href={redeemUrl}>{t("code.redeem_at", { host: new URL(redeemUrl).host })}</TextLink>
        </Paragraph>
      )}
    </>
  );
}
