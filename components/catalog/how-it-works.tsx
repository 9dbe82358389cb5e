import { useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import pictures from "./how-it-works.svg";

/** The three steps of a purchase, each with a picture. The pictures use the page's colours, so they are dark too. */
export function HowItWorks({ narrow }: { narrow?: boolean }) {
  const t = useTranslations("catalog.how");
  return (
    <section aria-labelledby="how" className={narrow ? "pt-10" : "pt-14 md:pt-18"}>
      <h2 id="how" className={narrow ? "text-17" : "text-21 md:text-28"}>
        {t("title")}
      </h2>
      <ol className={classNames("grid gap-x-10 gap-y-8 pt-6 sm:grid-cols-3", narrow && "gap-x-6!")}>
        {STEPS.map((name) => (
          <li
            key={name}
            className="max-sm:grid max-sm:grid-cols-[6.5rem_minmax(0,1fr)] max-sm:items-center max-sm:gap-x-4"
          >
            <svg viewBox="0 0 160 96" aria-hidden="true" className="step-picture">
              <use href={`${pictures.src}#${name}`} />
            </svg>
            <div className="sm:pt-3">
              <h3 className="text-17">{t(name)}</h3>
              <p className="pt-1 text-quiet">{t(`${name}_text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const STEPS = ["choose", "pay", "use"] as const;
