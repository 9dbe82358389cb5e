import type { ReactNode } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { StateNotice } from "@/components/merchants/portal/state-notice";
import type { MerchantReview } from "@/lib/merchants/replies/contract";
import type { MerchantRequest } from "@/lib/merchants/requests/contract";
import type { FirstStep, MerchantRole, MerchantState } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { AnswerBy } from "./answer-by";
import { FirstSteps } from "./first-steps";
import { type LowPlan, Restock } from "./restock";
import { ReviewsToRead } from "./reviews-to-read";

type Props = {
  locale: Locale;
  handle: string;
  name: string;
  role: MerchantRole;
  /** the viewer may add codes, and reply to reviews */
  mayAdd: boolean;
  mayReply: boolean;
  /** the earnings: the row of figures, and the chart */
  figures: ReactNode;
  chart: ReactNode;
  home: {
    state: MerchantState;
    stateNote: string | null;
    steps: { step: FirstStep; done: boolean }[];
    requests: { nearest: MerchantRequest[]; count: number };
    low: LowPlan[] | null;
    reviews: MerchantReview[];
  };
};

/**
 * The first page of a merchant's console: its state, the first steps until all are done, its figures, and open
 * requests.
 */
export async function MerchantHomeScreen(props: Props) {
  const { locale, handle, name, role, mayAdd, mayReply, figures, chart } = props;
  const { state, stateNote, steps, requests, low, reviews } = props.home;
  const t = await consoleTranslations({ locale, namespace: "console.merchant_home" });
  const stateName = await consoleTranslations({ locale, namespace: "console.merchant.state" });
  const path = `/merchant/${handle}`;
  return (
    <>
      <ConsoleHeader title={name} dense>
        <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
      </ConsoleHeader>
      <div className="pt-3">
        <StateNotice state={state} note={stateNote} />
        <FirstSteps handle={handle} role={role} steps={steps} isOpen={low === null} />
        {figures}
        {low !== null && (
          <div className="grid gap-x-8 gap-y-6 min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Part title={t("answer")} more={requests.count > 0 && [t("all_requests"), `${path}/requests`]}>
              <AnswerBy requests={requests.nearest} />
            </Part>
            <Part title={t("restock")} more={[t("all_codes"), `${path}/keys`]}>
              <Restock handle={handle} plans={low} mayAdd={mayAdd} />
            </Part>
            <Part title={t("chart")} more={[t("all_insight"), `${path}/insight`]}>
              {chart}
            </Part>
            <Part title={t("reviews")} more={[t("all_reviews"), `${path}/reviews`]}>
              <ReviewsToRead reviews={reviews} mayReply={mayReply} />
            </Part>
          </div>
        )}
      </div>
    </>
  );
}

function Part({
  title,
  more,
  children,
}: {
  title: string;
  more: readonly [string, string] | false;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <header className="flex items-baseline justify-between gap-4 pb-2">
        <h2 className="text-17 font-semibold">{title}</h2>
        {more && (
          <ConsoleLink href={more[1]} className="text-link text-13 whitespace-nowrap">
            {more[0]}
          </ConsoleLink>
        )}
      </header>
      {children}
    </section>
  );
}
