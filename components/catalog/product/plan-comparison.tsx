"use client";

import { Price } from "@/components/ui/price";
import { usePlan } from "./plan-choice";

export type ComparisonLabels = {
  title: string;
  /** pass, price, price per day, refund, stock */
  columns: readonly string[];
  /** shown when there is no price per day */
  none: string;
};

/** A comparison table of all plans with prices and refunds. It is readable without JavaScript. */
export function PlanComparison({ labels }: { labels: ComparisonLabels }) {
  const { offers } = usePlan();
  return (
    <section aria-labelledby="compare" className="@container">
      <h2 id="compare" className="pb-3 text-21">
        {labels.title}
      </h2>
      <table className="comparison">
        <thead>
          <tr>
            {labels.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {offers.map((plan) => (
            <tr key={plan.vipId}>
              <th scope="row">{plan.name}</th>
              <td>
                <Price {...plan.price} />
              </td>
              <td className="figures">{plan.perDay ?? labels.none}</td>
              <td>{plan.refund}</td>
              <td>{plan.stock}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
