"use client";

import { DealClock } from "@/components/catalog/product/deal-clock";
import type { DealLabels } from "@/components/catalog/product/use-deal-labels";
import { TONES, type Tone } from "@/components/catalog/tones";
import type { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Emblem } from "@/components/ui/emblem";
import { Price } from "@/components/ui/price";
import { TicketLink } from "@/components/ui/ticket/ticket-link";

export type TicketAside = { tone: Tone; text: string } | { deal: DealLabels };

export type TicketText = ReturnType<ReturnType<typeof usePassLabels>["ticket"]> & {
  id: number;
  href: string;
  title: string;
  maker: string;
  tagline: string;
  src: string;
  /** The language of its text, where it differs from the page's. */
  lang?: string;
  aside?: TicketAside;
};

/** Rendered on the client: the page repeats the tickets' text for it, but not their larger markup. */
export function TicketGrid({
  tickets,
  level,
  first,
}: {
  tickets: readonly TicketText[];
  level: "h2" | "h3";
  first: boolean;
}) {
  return (
    <div className="@container">
      <ul className="grid gap-4 @min-[56rem]:grid-cols-2">
        {tickets.map(({ id, maker, tagline, src, price, aside, ...ticket }, i) => (
          <li key={id}>
            <TicketLink
              {...ticket}
              level={level}
              subtitle={
                <>
                  <span>{maker}</span>
                  <span lang={ticket.lang}>{tagline}</span>
                </>
              }
              emblem={<Emblem src={src} size={112} priority={first && i < 2} />}
              price={<Price {...price} />}
              aside={aside && <Aside {...aside} />}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Aside(aside: TicketAside) {
  if ("deal" in aside) return <DealClock {...aside.deal} />;
  return <span className={TONES[aside.tone]}>{aside.text}</span>;
}
