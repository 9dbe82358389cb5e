import { useFormatter, useLocale, useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { Pager } from "@/components/catalog/listing/pager";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { Referral, ReferralInfo } from "@/lib/referrals/contract";
import { InviteLink } from "./invite-link";

/** The user's invitations: the link, the results and the terms. */
export function ReferralsScreen({ info, page, size }: { info: ReferralInfo; page: number; size: number }) {
  const t = useTranslations("referrals.mine");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const terms = {
    reward: money(info.reward_amount),
    friend: money(info.friend_amount),
    minimum: money(info.friend_min_amount),
    days: REFUND_DAYS,
  };
  return (
    <Page narrow above={<AccountNav />} title={t("title")} lead={t("lead", terms)}>
      <div className="flex flex-col gap-4">
        {!info.running && <Notice kind="warn">{t("paused")}</Notice>}
        {info.can_invite ? (
          <ScopedMessages branches={["referrals.link"]}>
            <InviteLink link={info.invite_link} />
          </ScopedMessages>
        ) : (
          <Notice
            kind="warn"
            title={t("unverified_title")}
            action={<ButtonLink href="/profile?redirect=/invite">{t("verify")}</ButtonLink>}
          >
            {t("unverified_text")}
          </Notice>
        )}
      </div>
      <Counts info={info} earned={money(info.earned)} />
      <section aria-labelledby="friends" className="pt-10">
        <h2 id="friends" className="pb-3 text-21">
          {t("friends")}
        </h2>
        {info.total === 0 ? <p className="text-quiet">{t("nobody")}</p> : <ReferralRows items={info.items} />}
        <Pager path="/invite" query={{}} page={page} size={size} total={info.total} />
      </section>
      <section aria-labelledby="terms" className="pt-12">
        <h2 id="terms" className="pb-3 text-21">
          {t("terms")}
        </h2>
        <ol className="flex max-w-text list-decimal flex-col gap-2 pl-5">
          <li>{t("step.share")}</li>
          <li>{t("step.friend", terms)}</li>
          <li>{t("step.wait", terms)}</li>
          <li>{t("step.reward", terms)}</li>
          {info.monthly_cap !== null && <li>{t("cap", { count: info.monthly_cap })}</li>}
          <li>{t("fair")}</li>
        </ol>
        <p className="pt-4 text-13 text-quiet">
          <Link href="/coupons" className="text-link">
            {t("coupons")}
          </Link>
        </p>
      </section>
    </Page>
  );
}

function Counts({ info: { counts }, earned }: { info: ReferralInfo; earned: string }) {
  const t = useTranslations("referrals.mine.count");
  const format = useFormatter();
  const names = ["clicks", "registered", "pending", "paid", "refused"] as const;
  const figures = [...names.map((name) => [t(name), format.number(counts[name])]), [t("earned"), earned]];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 pt-8 sm:grid-cols-3">
      {figures.map(([term, figure]) => (
        <div key={term} className="flex flex-col-reverse justify-end border-t border-hairline pt-3">
          <dt className="text-13 text-quiet">{term}</dt>
          <dd className="figures text-28 font-semibold">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const TONES = { registered: "text-quiet", pending: "text-warn", paid: "text-good", refused: "text-quiet" };

/** The invited users, newest first, with the state of each reward and the reason when there is none. */
function ReferralRows({ items }: { items: readonly Referral[] }) {
  const t = useTranslations("referrals.mine");
  const locale = useLocale();
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {items.map(({ friend, state, reason, registered_at, due_at, coupon_code }) => (
        <li key={`${friend}${registered_at}`} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
          <div>
            <p className="font-medium">{friend}</p>
            <p className="text-13 text-quiet">
              <LocalTimes of={[registered_at]}>
                {t("registered_on", { date: formatDate(registered_at, locale) })}
              </LocalTimes>
            </p>
          </div>
          <div className="sm:text-right">
            <p className={`font-medium ${TONES[state]}`}>{t(`state.${state}`)}</p>
            <p className="text-13 text-quiet wrap-anywhere">
              {state === "pending" && due_at && (
                <LocalTimes of={[due_at]}>{t("due_on", { date: formatDate(due_at, locale) })}</LocalTimes>
              )}
              {state === "refused" && reason && t(`reason.${reason}`)}
              {state === "paid" && coupon_code}
              {state === "registered" && t("not_bought")}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
