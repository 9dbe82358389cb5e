"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { QueueCard } from "@/components/console/queue-card";
import { Age, TimeLeft } from "@/components/console/time";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { Icon } from "@/components/ui/icon";
import { REQUEST_KINDS, type RequestKind } from "@/lib/merchants/requests/rules";
import { FIRST_STEPS, type FirstStep, type MerchantRole, type MerchantState } from "@/lib/merchants/rules";
import { MAX_QUEUED, type QueueState } from "@/lib/platform/console/list";
import { merchantScreensFor } from "./screens";
import { StateNotice } from "./state-notice";

/** Where each first step is done, by the name of its screen; the first that exists. */
const STEP_SCREENS: Record<FirstStep, readonly string[]> = {
  profile: ["profile"],
  factor: ["security"],
  business: ["business"],
  product: ["products"],
  keys: ["keys"],
  help: ["team", "tokens"],
};

type Props = {
  handle: string;
  name: string;
  role: MerchantRole;
  home: {
    state: MerchantState;
    stateNote: string | null;
    steps: { step: FirstStep; done: boolean }[];
    requests: Record<RequestKind, QueueState>;
    low: LowPlan[] | null;
  };
};
type LowPlan = { plan_id: number; product_name: string; plan_label: string; available: number };

/** Plans that the page names. */
const SHOWN_PLANS = 6;

/** The first page of a merchant's console: its state, the first steps until all are done, and what waits. */
export function MerchantHomeScreen({ handle, name, role, home }: Props) {
  const { state, stateNote, steps, requests, low } = home;
  const t = useTranslations("console.merchant_home");
  const stateName = useTranslations("console.merchant.state");
  const done = steps.filter((step) => step.done).length;
  const screens = merchantScreensFor(role);
  const pathOf = (step: FirstStep) =>
    screens.find((screen) => STEP_SCREENS[step].some((one) => one === screen.name))?.path;
  return (
    <>
      <ConsoleHeader title={name}>
        <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
      </ConsoleHeader>
      <StateNotice state={state} note={stateNote} />
      {done < FIRST_STEPS.length && (
        <section aria-labelledby="first-steps" className="max-w-text pb-8">
          <h2 id="first-steps" className="text-21">
            {t("steps")}
          </h2>
          <p className="pb-3 text-quiet">{t("steps_done", { done, count: steps.length })}</p>
          <ol className="flex flex-col gap-3">
            {steps.map((step, position) => {
              const path = pathOf(step.step);
              const title = t(`step.${step.step}`);
              return (
                <li
                  key={step.step}
                  className="flex items-start gap-4 rounded-control border border-hairline bg-raised p-4"
                >
                  <span
                    aria-hidden="true"
                    className={`figures grid size-8 flex-none place-items-center rounded-full border ${step.done ? "border-good text-good" : "border-control"}`}
                  >
                    {step.done ? <Icon name="check" size={18} /> : position + 1}
                  </span>
                  <div className="min-w-0">
                    <p className="font-semibold">
                      {step.done || path === undefined ? (
                        title
                      ) : (
                        <ConsoleLink
                          href={`/merchant/${handle}${path}`}
                          className="text-link inline-flex min-h-11 items-center min-[900px]:min-h-0"
                        >
                          {title}
                        </ConsoleLink>
                      )}
                      {step.done && <span className="sr-only"> {t("done")}</span>}
                    </p>
                    <p className="text-quiet">{t(`step_text.${step.step}`)}</p>
                  </div>
                </li>
              );
            })}
          </ol>
        </section>
      )}
      {low !== null && (
        <>
          <Requests handle={handle} requests={requests} />
          <LowStock handle={handle} plans={low} />
        </>
      )}
    </>
  );
}

/** Open requests of buyers; the one with the least time left says until when. */
function Requests({ handle, requests }: { handle: string; requests: Props["home"]["requests"] }) {
  const t = useTranslations("console.merchant_home");
  const waiting = REQUEST_KINDS.filter((kind) => requests[kind].count > 0);
  return (
    <section aria-labelledby="requests" className="pb-8">
      <h2 id="requests" className="pb-3 text-21">
        {t("waits")}
      </h2>
      {waiting.length === 0 ? (
        <p className="text-quiet">{t("no_requests")}</p>
      ) : (
        <ul className="grid max-w-text grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-3">
          {waiting.map((kind) => {
            const { count, oldest_at: at } = requests[kind];
            return (
              <li key={kind}>
                <QueueCard
                  href={`/merchant/${handle}/requests?kind=${kind}`}
                  name={t(`requests.${kind}`)}
                  count={count < MAX_QUEUED ? String(count) : `${MAX_QUEUED - 1}+`}
                >
                  {at && kind === "refund" && (
                    <>
                      {t("answer_by")}: <TimeLeft until={at} late={t("late")} />
                    </>
                  )}
                  {at && kind === "replacement" && (
                    <>
                      {t("waits_since")}: <Age at={at} />
                    </>
                  )}
                </QueueCard>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** Plans on sale whose codes run low, and where codes are added. */
function LowStock({ handle, plans }: { handle: string; plans: readonly LowPlan[] }) {
  const t = useTranslations("console.merchant_home");
  const keys = `/merchant/${handle}/keys`;
  const link = "text-link inline-flex min-h-11 items-center";
  return (
    <section aria-labelledby="low" className="max-w-text">
      <h2 id="low" className="pb-3 text-21">
        {t("low")}
      </h2>
      {plans.length === 0 && <p className="text-quiet">{t("no_low")}</p>}
      {plans.length > 0 && (
        <ul className="rounded-control border border-hairline bg-raised">
          {plans.slice(0, SHOWN_PLANS).map(({ plan_id, product_name, plan_label, available }) => (
            <li
              key={plan_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-hairline px-4 py-3 last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere">
                {product_name} · {plan_label}
              </span>
              <Pill tone={available === 0 ? "bad" : "warn"}>{t("codes_left", { count: available })}</Pill>
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-x-5 pt-2">
        <ConsoleLink href={`${keys}/import`} className={link}>
          {t("add_codes")}
        </ConsoleLink>
        {plans.length > SHOWN_PLANS && (
          <ConsoleLink href={keys} className={link}>
            {t("more_low", { count: plans.length - SHOWN_PLANS })}
          </ConsoleLink>
        )}
      </p>
    </section>
  );
}
