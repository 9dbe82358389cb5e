import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

type DefinitionRow = { term: ReactNode; value: ReactNode; strong?: boolean };
type Props = { rows: readonly (DefinitionRow | false)[]; className?: string };

/** Rows with the term on the left and the value on the right, separated by a thin line; `false` is left out. */
export function DefinitionRows({ rows, className }: Props) {
  return (
    <dl className={classNames("divide-y divide-hairline", className)}>
      {rows
        .filter((row) => row !== false)
        .map((row, i) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are a fixed list that only changes its values.
            key={i}
            className={classNames(
              "flex items-baseline justify-between gap-6 py-2.5",
              row.strong && "text-17 font-semibold",
            )}
          >
            <dt className={row.strong ? undefined : "text-quiet"}>{row.term}</dt>
            <dd className="figures text-right">{row.value}</dd>
          </div>
        ))}
    </dl>
  );
}
