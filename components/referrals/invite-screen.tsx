import { useFormatter, useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { Invitation } from "@/lib/referrals/contract";
import { InviteKeeper } from "./invite-keeper";

const GAINS = ["official", "price", "refund"] as const;
/** Below this a number of members impresses nobody. */
const MEMBERS_TOLD = 1000;

/** Where a friend's link leads (spec §2 /i/{userId}); an unknown code shows the general invitation. */
export function InviteScreen({ invitation, brand }: { invitation: Invitation; brand: string }) {
  const t = useTranslations("referrals");
  const format = useFormatter();
  const { inviter, members, code } = invitation;
  return (
    <Page
      narrow
      title={t("title", { brand })}
      lead={inviter ? t("by", { inviter, brand }) : t("lead", { brand })}
    >
      {inviter && <InviteKeeper code={code} />}
      <ul className="flex flex-col gap-6 pt-2">
        {GAINS.map((gain) => (
          <li key={gain} className="border-t-2 border-ink pt-4">
            <h2 className="text-17">{t(`gain.${gain}`)}</h2>
            <p className="pt-1 text-quiet">{t(`gain.${gain}_text`)}</p>
          </li>
        ))}
      </ul>
      {members >= MEMBERS_TOLD && (
        <p className="pt-6 text-quiet">{t("members", { members: format.number(members) })}</p>
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
