import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { Span } from "@/lib/platform/format";
import { Ticket } from "./ticket";
import { TicketHero } from "./ticket-hero";

/** A ticket that links to its page: the name is the link and the whole ticket its click target. */
export function TicketLink({
  href,
  title,
  subtitle,
  lang,
  level: Heading = "h3",
  emblem,
  hero,
  heroLabel,
  price,
  perDay,
  aside,
  control,
}: {
  href: string;
  title: string;
  /** Lines of text. The last one is the product type. */
  subtitle?: ReactNode;
  /** The language of the title, where it differs from the page's. */
  lang?: string;
  level?: "h2" | "h3" | "h4";
  emblem?: ReactNode;
  hero: Span;
  heroLabel?: string;
  price: ReactNode;
  perDay?: string;
  aside?: ReactNode;
  /** A control above the link's click target. */
  control?: ReactNode;
}) {
  return (
    <Ticket
      className="ticket-link h-full"
      stub={
        <div className="ticket-link-stub">
          <div>
            <TicketHero span={hero} label={heroLabel} />
          </div>
          <p>
            {price}
            {perDay && <span className="figures block text-13 text-quiet">{perDay}</span>}
          </p>
        </div>
      }
    >
      <div className="ticket-link-body">
        {emblem}
        <div>
          <Heading lang={lang}>
            <Link href={href}>{title}</Link>
          </Heading>
          {subtitle && <div className="ticket-link-lines">{subtitle}</div>}
          {aside && <div className="pt-1.5 text-13">{aside}</div>}
          {control}
        </div>
      </div>
    </Ticket>
  );
}
