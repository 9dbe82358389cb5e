import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

/** The three steps of a purchase, each with a picture. The pictures use the page's colours, so they are dark too. */
export function HowItWorks({ narrow }: { narrow?: boolean }) {
  const t = useTranslations("catalog.how");
  return (
    <section aria-labelledby="how" className={narrow ? "pt-10" : "pt-14 md:pt-18"}>
      <h2 id="how" className={narrow ? "text-17" : "text-21 md:text-28"}>
        {t("title")}
      </h2>
      <ol className={classNames("grid gap-x-10 gap-y-8 pt-6 sm:grid-cols-3", narrow && "gap-x-6!")}>
        {STEPS.map(({ name, picture }) => (
          <li
            key={name}
            className="max-sm:grid max-sm:grid-cols-[6.5rem_minmax(0,1fr)] max-sm:items-center max-sm:gap-x-4"
          >
            <svg
              viewBox="0 0 160 96"
              fill="none"
              stroke="currentColor"
              strokeWidth={2}
              strokeLinecap="round"
              strokeLinejoin="round"
              aria-hidden="true"
              className="h-auto w-full max-w-44"
            >
              {picture}
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

/** A ticket with notches, cut by a perforation at `x`. */
const ticket = (x: number) => (
  <>
    <path
      className="fill-raised"
      d="M14 24a6 6 0 0 1 6-6h120a6 6 0 0 1 6 6v14a10 10 0 0 0 0 20v14a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6V58a10 10 0 0 0 0-20Z"
    />
    <path className="text-quiet" strokeDasharray="1 7" d={`M${x} 24v48`} />
  </>
);

const STEPS: readonly { name: "choose" | "pay" | "use"; picture: ReactNode }[] = [
  {
    name: "choose",
    picture: (
      <>
        {ticket(104)}
        <circle cx={60} cy={48} r={19} />
        <path className="stroke-accent" strokeWidth={4} d="M60 29a19 19 0 0 1 18 25" />
        <path d="M60 38v10l7 5M116 40h14M116 50h18M116 60h9" />
      </>
    ),
  },
  {
    name: "pay",
    picture: (
      <>
        <rect className="fill-raised" x={22} y={20} width={104} height={60} rx={8} />
        <path d="M22 38h104M34 64h24M66 64h10" />
        <circle className="fill-accent stroke-none" cx={126} cy={68} r={19} />
        <path className="stroke-accent-ink" strokeWidth={4} d="m117 68 7 7 12-14" />
      </>
    ),
  },
  {
    name: "use",
    picture: (
      <>
        <rect className="fill-raised" x={30} y={14} width={108} height={70} rx={8} />
        <path d="M30 30h108M39 22h.01M47 22h.01M55 22h.01" />
        <rect x={46} y={42} width={76} height={18} rx={5} />
        <path strokeWidth={4} d="M56 51h.01M66 51h.01M76 51h.01M90 51h.01M100 51h.01M110 51h.01" />
        <path className="stroke-accent" strokeWidth={4} d="M46 72h44" />
        <path className="text-quiet" d="M98 72h24" />
      </>
    ),
  },
];
