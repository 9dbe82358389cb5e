"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { TONES } from "@/components/catalog/tones";
import { RefundLink } from "@/components/payments/refund-link";
import { Icon } from "@/components/ui/icon";
import { LocalTimes } from "@/components/ui/local-times";
import { Price } from "@/components/ui/price";
import { TicketChoice, TicketChoices } from "@/components/ui/ticket/ticket-choice";
import { DealCountdown } from "./deal-clock";
import type { ComparisonLabels } from "./product-screen";
import { CheckList } from "./text-blocks";
import type { PlanFact, PlanOffer } from "./use-plan-offers";

type Choice = { offers: readonly PlanOffer[]; chosen: PlanOffer; choose: (vipId: number) => void };

const PlanContext = createContext<Choice | null>(null);

export function usePlan(): Choice {
  const choice = useContext(PlanContext);
  if (!choice) throw new Error("usePlan must be used inside PlanProvider");
  return choice;
}

/** Provides the selected plan. `initial` is the plan in the URL or the product's default plan. */
export function PlanProvider({
  offers,
  initial,
  children,
}: {
  offers: readonly PlanOffer[];
  initial: number;
  children: ReactNode;
}) {
  const [vipId, setVipId] = useState(initial);
  const chosen = offers.find((offer) => offer.vipId === vipId) ?? offers[0];
  const choice = useMemo(() => chosen && { offers, chosen, choose: setVipId }, [offers, chosen]);
  return choice && <PlanContext value={choice}>{children}</PlanContext>;
}

/** The plans as selectable tickets. The selection is written to the URL, so it survives sharing and reloading. */
export function PlanPicker({ legend }: { legend: string }) {
  const { offers, chosen, choose } = usePlan();
  return (
    <TicketChoices legend={legend}>
      {offers.map((offer) => (
        <TicketChoice
          key={offer.vipId}
          name="plan"
          value={String(offer.vipId)}
          hero={offer.hero}
          heroLabel={offer.heroLabel}
          price={<Price {...offer.price} />}
          perDay={offer.perDay}
          aside={offer.remark && <span className={TONES[offer.remark.tone]}>{offer.remark.text}</span>}
          checked={offer.vipId === chosen.vipId}
          onChange={() => {
            choose(offer.vipId);
            const url = new URL(location.href);
            url.searchParams.set("plan", String(offer.vipId));
            history.replaceState(null, "", url);
          }}
        />
      ))}
    </TicketChoices>
  );
}

const refundFact = ({ refund, refundable }: PlanOffer): PlanFact =>
  refundable ? { icon: "check", tone: "good", text: refund } : { icon: "info", tone: "quiet", text: refund };

const factsOf = (chosen: PlanOffer, seller: string | undefined): PlanFact[] => [
  refundFact(chosen),
  ...(seller ? [{ icon: "star", tone: "quiet", text: seller } as const] : []),
  ...chosen.facts,
];

/** What the shopper should know about the chosen plan. `extra` heads what only this plan includes. */
export function PlanFacts({
  label,
  extra,
  lang,
  seller,
}: {
  label: string;
  extra: string;
  lang?: string;
  /** the figures of the seller's codes and answers */
  seller?: string;
}) {
  const { chosen } = usePlan();
  return (
    <section aria-label={label} aria-live="polite">
      <ul className="flex flex-col gap-2">
        {chosen.deal && (
          <li className="flex gap-2.5 text-warn">
            <Icon name="clock" className="mt-0.5" />
            <span className="flex flex-wrap gap-x-3 font-medium">
              <DealCountdown key={chosen.vipId} {...chosen.deal} />
              <span className="figures">{chosen.deal.left}</span>
            </span>
          </li>
        )}
        {factsOf(chosen, seller).map(({ icon, tone, text, at }) => (
          <li key={text} className="flex gap-2.5">
            <Icon name={icon} className={`mt-0.5 ${TONES[tone]}`} />
            <span className={tone === "warn" ? TONES.warn : undefined}>
              {text === chosen.refund ? (
                <RefundLink key={chosen.vipId} planId={chosen.vipId} text={text} />
              ) : at ? (
                <LocalTimes of={at}>{text}</LocalTimes>
              ) : (
                text
              )}
            </span>
          </li>
        ))}
      </ul>
      {chosen.includes && (
        <>
          <h2 className="pt-4 pb-2 font-medium">{extra}</h2>
          <CheckList texts={chosen.includes} lang={lang} />
        </>
      )}
    </section>
  );
}

/** A comparison table of all plans with prices, readable without JavaScript, where each leads to the page with that plan selected. */
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
              <th scope="row">
                <a href={`?plan=${plan.vipId}`} rel="nofollow">
                  {plan.name}
                </a>
              </th>
              <td>
                <Price {...plan.price} />
              </td>
              <td className="figures">{plan.perDay ?? labels.none}</td>
              <td>{plan.stock}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
