import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { DurationSpan } from "@/lib/platform/format";
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
  corner,
}: {
  href: string;
  title: string;
  /** Lines of text. The last one is the product type. */
  subtitle?: ReactNode;
  /** The language of the title, where it differs from the page's. */
  lang?: string;
  level?: "h2" | "h3" | "h4";
  emblem?: ReactNode;
  hero: DurationSpan;
  heroLabel?: string;
  price: ReactNode;
  perDay?: string;
  aside?: ReactNode;
  /** A control above the link's click target. */
  control?: ReactNode;
  /** A control in the corner. */
  corner?: ReactNode;
}) {
  return (
    <Ticket
      className="ticket-link h-full"
      holes={hero}
      stub={
        <div className="ticket-link-stub">
          <div>
            <TicketHero span={hero} label={heroLabel} />
          </div>
          <p>
            {price}
            {perDay && <span className="figures">{perDay}</span>}
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
          {corner}
          {subtitle && <div className="ticket-link-lines">{subtitle}</div>}
          {(aside || control) && (
            <div className="ticket-link-foot">
              {aside && <span>{aside}</span>}
              {control}
            </div>
          )}
        </div>
      </div>
    </Ticket>
  );
}
