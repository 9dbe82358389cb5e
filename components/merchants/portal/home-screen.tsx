"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { FIRST_STEPS, type FirstStep, type MerchantRole, type MerchantState } from "@/lib/merchants/rules";
import { merchantScreensFor } from "./screens";

/** Where each first step is done, by the name of its screen; the first that exists. */
const STEP_SCREENS: Record<FirstStep, readonly string[]> = {
  profile: ["profile"],
  factor: ["security"],
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
  };
};

/** The first page of a merchant's console: its state, and the first steps until all are done. */
export function MerchantHomeScreen({ handle, name, role, home: { state, stateNote, steps } }: Props) {
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
      {(state === "suspended" || state === "ended" || state === "paused") && (
        <Notice kind="warn" title={t(`state_${state}`)} className="mb-6">
          {stateNote && <p className="wrap-anywhere">{stateNote}</p>}
        </Notice>
      )}
      {done < FIRST_STEPS.length && (
        <section aria-labelledby="first-steps" className="max-w-text">
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
    </>
  );
}
