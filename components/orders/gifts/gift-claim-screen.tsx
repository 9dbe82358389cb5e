import { useLocale, useTranslations } from "next-intl";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { ButtonLink } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { GiftLinkView } from "@/lib/orders/gifts/contract";
import { durationSpan, formatMoment } from "@/lib/platform/format";
import { ClaimGift, type ClaimLabels, type GiftAccount } from "./claim-gift";

/** Where the link of a gift leads: the message, the passes and the claim, or why there is nothing to claim. */
export function GiftClaimScreen({
  token,
  gift,
  account,
}: {
  token: string;
  /** null: the link is not valid */
  gift: GiftLinkView | null;
  /** null: not signed in */
  account: GiftAccount | null;
}) {
  const t = useTranslations("orders.gift.claim");
  const locale = useLocale();
  const labels: ClaimLabels = {
    action: t("action"),
    hint: t("sign_in_hint"),
    proofHint: t("proof_hint"),
    done: t("done"),
    network: useTranslations("errors")("network"),
    verify: { ...useVerifyLabels(), text: t("verify_text") },
  };
  if (!gift) return <GiftEnded state="invalid" />;
  if (gift.state !== "open")
    return <GiftEnded state={gift.state === "claimed" && gift.yours ? "yours" : gift.state} gift={gift} />;
  return (
    <Page title={t("title")} lead={t("lead")} narrow>
      <div className="flex flex-col gap-6">
        <GiftMessage gift={gift} />
        <GiftPasses gift={gift} />
        <ClaimGift token={token} account={account} labels={labels} />
        {gift.claim_until && (
          <p className="text-13 text-quiet">
            <LocalTimes of={[gift.claim_until]}>
              {t("until", { moment: formatMoment(gift.claim_until, locale) })}
            </LocalTimes>
          </p>
        )}
      </div>
    </Page>
  );
}

function GiftMessage({ gift: { message, from_name } }: { gift: GiftLinkView }) {
  const t = useTranslations("orders.gift.claim");
  const from =
    from_name && t.rich("from", { name: () => <bdi className="font-medium text-ink">{from_name}</bdi> });
  if (message === "") return from ? <p className="text-quiet">{from}</p> : null;
  return (
    <figure>
      <figcaption className="pb-1 text-13 text-quiet">{from || t("message")}</figcaption>
      <blockquote
        className="border-l-2 border-ink py-1 pl-4 text-17 whitespace-pre-line break-words"
        dir="auto"
      >
        {message}
      </blockquote>
    </figure>
  );
}

function GiftPasses({ gift }: { gift: GiftLinkView }) {
  const pass = useTranslations("orders.pass");
  const locale = useLocale();
  return (
    <ul className="flex flex-col gap-3">
      {gift.passes.map((line) => (
        <li key={`${line.slug} ${line.vip_type}`}>
          <TicketLine
            title={line.product_name}
            level="h2"
            lang={line.language === locale ? undefined : line.language}
            subtitle={`${line.maker} · ${line.vip_type}`}
            emblem={<Emblem src={line.product_image} size={80} />}
            hero={durationSpan(line.duration_days, locale)}
            heroLabel={pass("lifetime")}
            price={line.quantity > 1 ? <span className="figures">× {line.quantity}</span> : null}
          />
        </li>
      ))}
    </ul>
  );
}

type EndState = "invalid" | "yours" | Exclude<GiftLinkView["state"], "open">;

function GiftEnded({ state, gift }: { state: EndState; gift?: GiftLinkView }) {
  const t = useTranslations("orders.gift.claim");
  const isOwned = state === "yours";
  return (
    <Page title={t(`${state}_title`)} lead={t(`${state}_text`)} narrow>
      <ButtonLink look={isOwned ? "primary" : undefined} href={isOwned ? "/library" : "/"}>
        {t(isOwned ? "library" : "home")}
      </ButtonLink>
      {isOwned && gift && (
        <div className="flex flex-col gap-6 pt-8">
          <GiftMessage gift={gift} />
          <GiftPasses gift={gift} />
        </div>
      )}
    </Page>
  );
}
