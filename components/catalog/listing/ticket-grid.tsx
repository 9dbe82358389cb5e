"use client";

import type { ReactNode } from "react";
import { DealClock } from "@/components/catalog/product/deal-clock";
import type { DealLabels } from "@/components/catalog/product/use-deal-labels";
import { TONES, type Tone } from "@/components/catalog/tones";
import type { usePassLabels } from "@/components/catalog/use-pass-labels";
import { useHeart } from "@/components/notifications/wishlist/use-heart";
import type { WishLabels } from "@/components/notifications/wishlist/wish-labels";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { Price } from "@/components/ui/price";
import { TicketLink } from "@/components/ui/ticket/ticket-link";

export type TicketAside = { tone: Tone; text: string } | { deal: DealLabels };

/** `lang` is the language of the text, where it differs from the page's. */
type ForeignText = { text: string; lang?: string };

export type TicketText = ReturnType<ReturnType<typeof usePassLabels>["ticket"]> & {
  id: number;
  href: string;
  title: ForeignText;
  maker: string;
  tagline: ForeignText;
  src: string;
  /** A mark beside the vendor ("English only"). */
  mark?: string;
  /** The average of its reviews and their number. */
  rating?: { text: string; label: string; count: string };
  /** The plan to choose for the comparison. */
  plan?: number;
  aside?: TicketAside;
};

/** Rendered on the client: the page repeats the tickets' text for it, but not their larger markup. */
export type TicketGridProps = {
  tickets: readonly TicketText[];
  level: "h2" | "h3";
  first: boolean;
  wish: WishLabels;
  /** A control of each ticket. */
  control?: (ticket: TicketText) => ReactNode;
};

export function TicketGrid({ tickets, level, first, wish, control }: TicketGridProps) {
  const { Heart } = useHeart();
  return (
    <div className="@container" data-list="">
      <ul className="grid gap-4 @min-[56rem]:grid-cols-2">
        {tickets.map((ticket, i) => (
          <li key={ticket.id}>
            <TicketLink
              href={ticket.href}
              title={ticket.title.text}
              lang={ticket.title.lang}
              level={level}
              subtitle={
                <>
                  <span>
                    {ticket.rating && <Rating {...ticket.rating} />}
                    {ticket.maker}
                    {ticket.mark && <span className="mark">{ticket.mark}</span>}
                  </span>
                  <span lang={ticket.tagline.lang}>{ticket.tagline.text}</span>
                </>
              }
              emblem={<Emblem src={ticket.src} size={112} priority={first && i < 2} />}
              hero={ticket.hero}
              heroLabel={ticket.heroLabel}
              price={<Price {...ticket.price} />}
              perDay={ticket.perDay}
              aside={ticket.aside && <Aside {...ticket.aside} />}
              control={control?.(ticket)}
              corner={Heart && <Heart productId={ticket.id} name={ticket.title.text} labels={wish} />}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Rating({ text, label, count }: { text: string; label: string; count: string }) {
  return (
    <span className="ticket-rating">
      <span className="sr-only">
        {label}, {count}
      </span>
      <Icon name="star" size={14} className="fill-current" />
      <span aria-hidden="true" className="figures">
        {text}
      </span>
    </span>
  );
}

function Aside(aside: TicketAside) {
  if ("deal" in aside) return <DealClock {...aside.deal} />;
  return <span className={TONES[aside.tone]}>{aside.text}</span>;
}
