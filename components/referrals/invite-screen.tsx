import { useLocale, useTranslations } from "next-intl";
import { HowItWorks } from "@/components/catalog/how-it-works";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { Ticket } from "@/components/ui/ticket/ticket";
import { formatPrice } from "@/lib/platform/money";
import type { Invitation } from "@/lib/referrals/contract";
import { shownMembers } from "@/lib/referrals/rules";
import { InviteRecorder } from "./invite-recorder";

const BENEFITS = ["official", "price", "refund"] as const;

/** The page of an invitation link (/i/{userId}). An unknown code shows the general invitation. */
export function InviteScreen({ invitation, brand }: { invitation: Invitation; brand: string }) {
  const t = useTranslations("referrals");
  const { inviter, members, code, gift } = invitation;
  const shown = shownMembers(members);
  return (
    <Page
      narrow
      title={t(inviter ? "title" : "title_general", { brand })}
      lead={inviter ? t("by", { inviter, brand }) : t("lead", { brand })}
    >
      {inviter && <InviteRecorder code={code} />}
      {gift && <Gift gift={gift} />}
      <ul className="flex flex-col gap-6 pt-8">
        {BENEFITS.map((benefit) => (
          <li key={benefit} className="border-t-2 border-ink pt-4">
            <h2 className="text-17">{t(`gain.${benefit}`)}</h2>
            <p className="pt-1 text-quiet">{t(`gain.${benefit}_text`)}</p>
          </li>
        ))}
      </ul>
      <HowItWorks narrow />
      {shown && (
        <p className="pt-6 text-quiet">
          {shown.isMany ? t("members_many", { count: shown.count }) : t("members", { count: shown.count })}
        </p>
      )}
      <div className="flex flex-wrap gap-3 pt-8">
        <ButtonLink href="/register" look="primary" large>
          {t("register")}
        </ButtonLink>
        <ButtonLink href="/top-trending" large>
          {t("browse")}
        </ButtonLink>
      </div>
    </Page>
  );
}

/** The voucher for the invited user's first order, with a link to claim it. */
function Gift({ gift }: { gift: NonNullable<Invitation["gift"]> }) {
  const t = useTranslations("referrals.gift");
  const locale = useLocale();
  const [amount, minimum] = [formatPrice(gift.amountCents, locale), formatPrice(gift.minimumCents, locale)];
  return (
    <Ticket
      className="[--stub:11rem]"
      stub={
        <div className="flex h-full items-center px-5 py-3">
          <span className="figures text-28 font-semibold whitespace-nowrap">{amount}</span>
        </div>
      }
    >
      <div className="p-4 @min-[440px]:p-5">
        <h2 className="text-17">{t("title")}</h2>
        <p className="pt-1 text-quiet">{t("text", { minimum })}</p>
        <Link href="/free-voucher" className="text-link inline-flex min-h-11 items-center">
          {t("link")}
        </Link>
      </div>
    </Ticket>
  );
}
