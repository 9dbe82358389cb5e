import { useLocale, useTranslations } from "next-intl";
import { formatDate } from "@/lib/platform/format";
import type { Referral } from "@/lib/referrals/contract";

const TONES = { registered: "text-quiet", pending: "text-warn", paid: "text-good", refused: "text-quiet" };

/** The invited users, newest first, with the state of each reward and the reason when there is none. */
export function ReferralRows({ items }: { items: readonly Referral[] }) {
  const t = useTranslations("referrals.mine");
  const locale = useLocale();
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {items.map(({ friend, state, reason, registered_at, due_at, coupon_code }) => (
        <li key={`${friend}${registered_at}`} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
          <div>
            <p className="font-medium">{friend}</p>
            <p className="text-13 text-quiet">
              {t("registered_on", { date: formatDate(registered_at, locale) })}
            </p>
          </div>
          <div className="sm:text-right">
            <p className={`font-medium ${TONES[state]}`}>{t(`state.${state}`)}</p>
            <p className="text-13 text-quiet wrap-anywhere">
              {state === "pending" && due_at && t("due_on", { date: formatDate(due_at, locale) })}
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
