"use client";

import { DealClock } from "@/components/catalog/product/deal-clock";
import type { DealLabels } from "@/components/catalog/product/use-deal-labels";
import { TONES, type Tone } from "@/components/catalog/tones";
import { Emblem } from "@/components/ui/emblem";
import { Price } from "@/components/ui/price";
import type { HeroSpan } from "@/components/ui/ticket/ticket-hero";
import { TicketLink } from "@/components/ui/ticket/ticket-link";

export type TicketAside = { tone: Tone; text: string } | { deal: DealLabels };

/** A product in finished strings. */
export type TicketText = {
  id: number;
  href: string;
  title: string;
  maker: string;
  tagline: string;
  src: string;
  /** Of its texts, where it is not the page's. */
  lang?: string;
  hero: HeroSpan;
  heroLabel?: string;
  price: { text: string; list?: { text: string; label: string } };
  perDay?: string;
  /** The price is that of the cheapest pass. */
  from: boolean;
  aside?: TicketAside;
};

/**
 * Products as a grid of tickets. It is drawn by the browser's own copy: the page carries each ticket's words once more
 * for the browser, but not its shape, which weighs three times as much.
 */
export function TicketGrid({
  tickets,
  level,
  first,
  from,
}: {
  tickets: readonly TicketText[];
  level: "h2" | "h3";
  first: boolean;
  /** The word above the duration of those that have cheaper and dearer passes. */
  from: string;
}) {
  return (
    <div className="@container">
      <ul className="grid gap-4 @min-[56rem]:grid-cols-2">
        {tickets.map((ticket, i) => (
          <li key={ticket.id}>
            <TicketLink
              href={ticket.href}
              title={ticket.title}
              lang={ticket.lang}
              level={level}
              subtitle={
                <>
                  <span>{ticket.maker}</span>
                  <span lang={ticket.lang}>{ticket.tagline}</span>
                </>
              }
              emblem={<Emblem src={ticket.src} size={112} priority={first && i < 2} />}
              hero={ticket.hero}
              heroLabel={ticket.heroLabel}
              heroNote={ticket.from ? from : undefined}
              price={<Price {...ticket.price} />}
              perDay={ticket.perDay}
              aside={ticket.aside && <Aside {...ticket.aside} />}
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
