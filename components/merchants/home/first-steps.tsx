"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { ConsoleLink } from "@/components/console/link";
import { merchantScreensFor } from "@/components/merchants/portal/screens";
import { Icon } from "@/components/ui/icon";
import type { FirstStep, MerchantRole } from "@/lib/merchants/rules";

/** The screens for each first step by name, of which the first that the role may open is used. */
const STEP_SCREENS: Record<FirstStep, readonly string[]> = {
  profile: ["profile"],
  factor: ["security"],
  business: ["business"],
  account: ["money"],
  product: ["products"],
  keys: ["keys"],
  help: ["team", "tokens"],
};

const CLOSED = "first_steps_closed";
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
function readClosed(): string {
  try {
    return localStorage.getItem(CLOSED) ?? "";
  } catch {
    return ""; // storage may be blocked
  }
}

type Props = {
  handle: string;
  role: MerchantRole;
  steps: readonly { step: FirstStep; done: boolean }[];
  /** whether all steps are expanded, because the page shows nothing else yet */
  isOpen: boolean;
};

/** The first steps as a slim bar with the next one, until all are done or it is closed in this browser. */
export function FirstSteps({ handle, role, steps, isOpen }: Props) {
  const t = useTranslations("console.merchant_home");
  const closed = useSyncExternalStore(subscribe, readClosed, () => "");
  const next = steps.find(({ done }) => !done);
  if (!next || (!isOpen && closed.split(" ").includes(handle))) return null;
  const done = steps.filter((step) => step.done).length;
  const screens = merchantScreensFor(role);
  const pathOf = (step: FirstStep) =>
    screens.find((screen) => STEP_SCREENS[step].some((one) => one === screen.name))?.path;
  function close() {
    try {
      localStorage.setItem(CLOSED, `${closed} ${handle}`.trim());
    } catch {
      // Storage may be blocked. The bar then comes back with the next page.
    }
    for (const listener of listeners) listener();
  }
  const link = (step: FirstStep) => {
    const path = pathOf(step);
    const title = t(`step.${step}`);
    if (path === undefined) return title;
    return (
      <ConsoleLink href={`/merchant/${handle}${path}`} className="text-link font-medium">
        {title}
      </ConsoleLink>
    );
  };
  return (
    <section
      aria-label={t("steps")}
      className="mb-4 flex items-start gap-2 rounded-control border border-hairline bg-raised px-4"
    >
      <details className="group min-w-0 flex-1 py-2" open={isOpen}>
        <summary className="flex min-h-7 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 max-[899px]:min-h-11">
          <Icon name="right" size={16} className="flex-none group-open:rotate-90" />
          <span className="figures text-quiet">{t("steps_done", { done, count: steps.length })}</span>
          <span className="group-open:hidden min-[900px]:hidden">
            {t("next_step", { step: t(`step.${next.step}`) })}
          </span>
        </summary>
        <ol className="grid gap-x-8 gap-y-2 pt-2 pb-1 min-[900px]:grid-cols-2">
          {steps.map(({ step, done: isDone }) => (
            <li key={step} className="flex gap-3">
              <Icon
                name={isDone ? "check" : "right"}
                size={16}
                className={isDone ? "mt-1 flex-none text-good" : "mt-1 flex-none text-quiet"}
              />
              <span className="min-w-0">
                {isDone ? (
                  <>
                    {t(`step.${step}`)} <span className="sr-only">{t("done")}</span>
                  </>
                ) : (
                  <>
                    {link(step)}
                    <span className="block text-13 text-quiet">{t(`step_text.${step}`)}</span>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      </details>
      <span className="flex min-h-11 flex-none items-center gap-1 py-0.5">
        {!isOpen && <span className="max-[899px]:hidden">{link(next.step)}</span>}
        {!isOpen && (
          <button
            type="button"
            onClick={close}
            aria-label={t("close_steps")}
            className="grid size-11 place-items-center text-quiet hover:text-ink"
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </span>
    </section>
  );
}
