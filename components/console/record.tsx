import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

/** A part of a record's page under its own heading; a list of contents leads to its `id`. */
export function RecordSection({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="scroll-mt-26 border-t border-hairline pt-5 pb-7">
      <h2 className="pb-3 text-17 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Facts of a record, each under its name. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode] | false)[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-3">
      {rows
        .filter((row) => row !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt className="text-13 text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type Column<Row> = { name: string; end?: boolean; cell: (row: Row) => ReactNode };

/** A short table within a record. Below 900 px each row is a card. */
export function RecordTable<Row>({
  label,
  columns,
  rows,
  rowId,
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  empty: string;
}) {
  if (rows.length === 0) return <p className="text-quiet">{empty}</p>;
  return (
    <div className="min-[900px]:overflow-x-auto">
      <table className="w-full border-collapse text-left max-[899px]:block">
        <caption className="sr-only">{label}</caption>
        <thead className="max-[899px]:sr-only">
          <tr className="border-b border-hairline text-13 text-quiet">
            {columns.map(({ name, end }) => (
              <th
                key={name}
                scope="col"
                className={classNames("py-2 pr-4 align-bottom font-medium break-keep", end && "text-right")}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-[899px]:flex max-[899px]:flex-col max-[899px]:gap-3">
          {rows.map((row) => (
            <tr
              key={rowId(row)}
              className="border-b border-hairline align-top max-[899px]:flex max-[899px]:flex-col max-[899px]:gap-1.5 max-[899px]:rounded-control max-[899px]:border max-[899px]:bg-raised max-[899px]:p-3"
            >
              {columns.map(({ name, end, cell }) => (
                <td
                  key={name}
                  className={classNames(
                    "py-2 pr-4 max-[899px]:flex max-[899px]:gap-3 max-[899px]:p-0",
                    end && "figures min-[900px]:text-right",
                  )}
                >
                  <span aria-hidden="true" className="w-28 flex-none text-13 text-quiet min-[900px]:hidden">
                    {name}
                  </span>
                  <span className="min-w-0 wrap-break-word max-[899px]:wrap-anywhere">{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
