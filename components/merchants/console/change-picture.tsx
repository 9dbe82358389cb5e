"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useImagePath } from "@/components/catalog/editor/audience";
import { useFieldNames } from "@/components/catalog/editor/field-names";
import { useShownText } from "@/components/catalog/editor/plan-effect";
import { ChoiceButtons } from "@/components/console/choice-buttons";
import { classNames } from "@/components/ui/class-names";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { planKind, storedPictureHash } from "@/lib/catalog/import/rules-line";
import type { ConsoleChangeDetail } from "@/lib/merchants/changes/contract-console";
import { HTML_LANG, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import { type ChangeFinding, findChangeFindings } from "./change-findings";

type Change = Omit<ConsoleChangeDetail, "line"> & { line: ProductRecord };

const WIDTHS = ["desktop", "phone"] as const;

/**
 * A change as buyers would see the page, in each language and at both widths, with the changed parts marked, beside the
 * automatic checks.
 */
export function ChangePicture({ change }: { change: Change }) {
  const t = useTranslations("console.change_picture");
  const editor = useTranslations("console.editor");
  const [language, setLanguage] = useState<Locale>("en");
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>("desktop");
  return (
    <div className="grid items-start gap-6 pb-6 min-[1100px]:grid-cols-[minmax(0,1fr)_20rem]">
      <section aria-label={t("picture")} className="min-w-0">
        <div className="flex flex-wrap justify-between gap-2 pb-3">
          <ChoiceButtons
            value={language}
            options={LOCALES.map((locale) => ({ value: locale, label: editor(`language.${locale}`) }))}
            onChange={setLanguage}
          />
          <ChoiceButtons
            value={width}
            options={WIDTHS.map((name) => ({ value: name, label: t(name) }))}
            onChange={setWidth}
          />
        </div>
        <Picture change={change} language={language} isPhone={width === "phone"} />
      </section>
      <Findings findings={findChangeFindings(change)} />
    </div>
  );
}

function Picture({ change, language, isPhone }: { change: Change; language: Locale; isPhone: boolean }) {
  const t = useTranslations("console.change_picture");
  const editor = useTranslations("console.editor");
  const imagePath = useImagePath();
  const { planName } = useFieldNames();
  const { locale } = useSurface();
  const shownText = useShownText();
  const { line, changes, check } = change;
  const own = line.texts[language];
  const texts = own ?? line.texts.en;
  const textLanguage = own ? language : "en";
  const changed = (path: string) =>
    changes.some((one) => one.path === path || one.path.startsWith(`${path}.`));
  const hash = line.image === undefined ? null : storedPictureHash(line.image);
  const steps = line.activation.steps[textLanguage] ?? line.activation.steps.en;
  return (
    <div
      className={classNames(
        "rounded-ticket border border-hairline bg-paper p-5",
        isPhone ? "mx-auto max-w-[390px]" : "w-full",
      )}
    >
      {!own && language !== "en" && <p className="pb-3 text-13 text-quiet">{editor("verdict.english")}</p>}
      <div className={classNames("flex gap-6", isPhone && "flex-col")}>
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <div className="flex items-center gap-4">
            {hash && (
              <Marked is={changed("image")}>
                <Emblem key={hash} src={imagePath(hash)} size={isPhone ? 64 : 96} />
              </Marked>
            )}
            <div className="min-w-0" lang={HTML_LANG[textLanguage]}>
              <Marked is={changed(`texts.${language}.name`)}>
                <p className="text-21 font-semibold wrap-anywhere">{texts.name}</p>
              </Marked>
              <Marked is={changed("vendor")}>
                <p className="text-quiet">{line.vendor}</p>
              </Marked>
            </div>
          </div>
          <div lang={HTML_LANG[textLanguage]} className="flex flex-col gap-3">
            <Marked is={changed(`texts.${language}.tagline`)}>
              <p className="text-17">{texts.tagline}</p>
            </Marked>
            <Marked is={changed(`texts.${language}.description`)}>
              <p className="max-w-text whitespace-pre-line">{texts.description}</p>
            </Marked>
            {texts.includes && texts.includes.length > 0 && (
              <Marked is={changed(`texts.${language}.includes`)}>
                <ul className="list-disc pl-5">
                  {texts.includes.map((one) => (
                    <li key={one}>{one}</li>
                  ))}
                </ul>
              </Marked>
            )}
            {steps && (
              <Marked is={changed(`activation.steps.${textLanguage}`)}>
                <ol className="list-decimal pl-5">
                  {steps.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
              </Marked>
            )}
            {line.activation.url && (
              <Marked is={changed("activation.url")}>
                <p className="text-13 text-quiet break-all">{line.activation.url}</p>
              </Marked>
            )}
          </div>
        </div>
        <ul className={classNames("flex flex-col gap-2", isPhone ? "w-full" : "w-60 flex-none")}>
          {line.plans.map((plan) => {
            const kind = planKind(plan);
            const shown = check?.prices.find((one) => one.plan === kind);
            return (
              <li key={kind}>
                <Marked is={changed(`plans.${kind}`)}>
                  <div className="rounded-control border border-control bg-raised px-3 py-2">
                    <p className="font-semibold">{planName(kind)}</p>
                    <p className="figures text-13">
                      {shown ? shownText(shown) : formatPrice(toCents(plan.price), locale)}
                    </p>
                    <p className="text-13 text-quiet">{editor(`availability.${plan.availability}`)}</p>
                  </div>
                </Marked>
              </li>
            );
          })}
        </ul>
      </div>
      <p className="pt-4 text-13 text-quiet">{t("marked")}</p>
    </div>
  );
}

/** A part of the page, outlined where the change touches it. */
function Marked({ is, children }: { is: boolean; children: ReactNode }) {
  const t = useTranslations("console.change_picture");
  if (!is) return children;
  return (
    <div className="rounded-control bg-raised outline-2 outline-offset-4 outline-warn">
      <span className="sr-only">{t("changed")}: </span>
      {children}
    </div>
  );
}

function Findings({ findings }: { findings: readonly ChangeFinding[] }) {
  const t = useTranslations("console.change_picture");
  const editor = useTranslations("console.editor");
  const { planName } = useFieldNames();
  const { locale } = useSurface();
  const percent = (share: number) =>
    new Intl.NumberFormat(locale, {
      style: "percent",
      maximumFractionDigits: 1,
      signDisplay: "always",
    }).format(share);
  const words = ({ kind, ok, ...finding }: ChangeFinding) => {
    if (kind === "translation")
      return t(ok ? "translated" : "untranslated", {
        language: editor(`language.${finding.language ?? "en"}`),
      });
    if (kind === "price")
      return t("price", { plan: planName(finding.plan ?? ""), change: percent(finding.share ?? 0) });
    return t(`${kind}_${ok ? "ok" : "bad"}`);
  };
  return (
    <section aria-labelledby="findings">
      <h2 id="findings" className="pb-3 text-17 font-semibold">
        {t("checks")}
      </h2>
      <ul className="flex flex-col gap-2">
        {findings.map((finding) => (
          <li key={`${finding.kind} ${finding.language ?? finding.plan ?? ""}`} className="flex gap-2">
            <Icon
              name={finding.ok ? "check" : "warn"}
              size={18}
              className={classNames("mt-0.5 flex-none", finding.ok ? "text-good" : "text-warn")}
            />
            <span>{words(finding)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
