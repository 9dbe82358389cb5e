import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

/** Of a record's title: `h2` beside the inbox, whose title is the page's. */
export type RecordHeading = "h1" | "h2";

/** The bar of a record, which stays in sight: its name, states, sum and actions. */
export function RecordBar({
  title,
  heading: Heading = "h1",
  states,
  sum,
  children,
}: {
  title: string;
  heading?: RecordHeading;
  states?: ReactNode;
  sum?: string;
  /** actions */
  children?: ReactNode;
}) {
  return (
    <header className="sticky top-0 z-10 -mx-4 -mt-5 mb-4 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline bg-paper px-4 py-1.5 min-[900px]:-mx-8 min-[900px]:px-8">
      <Heading className="text-21 wrap-anywhere">{title}</Heading>
      {states && <span className="flex flex-wrap gap-1.5">{states}</span>}
      {sum && <span className="figures text-17 font-semibold">{sum}</span>}
      {children && <div className="flex flex-wrap gap-2 min-[900px]:ml-auto">{children}</div>}
    </header>
  );
}

/** A record in two columns, its story and what surrounds it; one below the other on narrow screens. */
export const RecordPage = ({ side, children }: { side: ReactNode; children: ReactNode }) => (
  <div className="grid items-start gap-x-6 gap-y-4 min-[1100px]:grid-cols-[minmax(0,2fr)_minmax(17rem,1fr)]">
    <div className="flex min-w-0 flex-col gap-4">{children}</div>
    <div className="flex min-w-0 flex-col gap-4">{side}</div>
  </div>
);

/** A part of a record. `asks`: it waits for a decision. */
export const RecordCard = ({
  title,
  asks = false,
  children,
}: {
  title: string;
  asks?: boolean;
  children: ReactNode;
}) => (
  <section
    className={classNames(
      "rounded-control border bg-raised px-4 py-3",
      asks ? "border-ink" : "border-hairline",
    )}
  >
    <h2 className="pb-1.5 text-15 font-semibold">{title}</h2>
    {children}
  </section>
);

/** Facts of a record side by side with their names, in little room. */
export const FactRows = ({
  rows,
}: {
  rows: readonly (readonly [name: string, value: ReactNode] | false)[];
}) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
    {rows
      .filter((row) => row !== false)
      .map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="figures min-w-0 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
  </dl>
);

/** More of a record, behind a press. */
export const MoreFacts = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="pt-1">
    <summary className="inline-flex min-h-9 cursor-pointer items-center text-13 font-medium text-quiet hover:text-ink">
      {title}
    </summary>
    {children}
  </details>
);

/** The size of a button within a record. */
export const SMALL_BUTTON = "min-h-9 px-3 text-13";
