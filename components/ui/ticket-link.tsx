import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Ticket } from "@/components/ui/ticket";
import { type HeroSpan, TicketHero } from "@/components/ui/ticket-hero";

/**
 * A ticket that leads to its page: the name is the link, the whole ticket the target. Emblem and names
 * on the body, duration, price and price per day on the stub.
 */
export function TicketLink({
  href,
  title,
  subtitle,
  lang,
  level: Heading = "h3",
  emblem,
  hero,
  heroLabel,
  heroNote,
  price,
  perDay,
  aside,
}: {
  href: string;
  title: string;
  subtitle?: ReactNode;
  /** Of the title, where it differs from the page. */
  lang?: string;
  level?: "h2" | "h3" | "h4";
  emblem?: ReactNode;
  hero: HeroSpan;
  heroLabel?: string;
  /** A word above the duration ("from"). */
  heroNote?: string;
  price: ReactNode;
  perDay?: string;
  aside?: ReactNode;
}) {
  return (
    <Ticket
      className="ticket-link h-full"
      stub={
        <div className="flex h-full items-end justify-between gap-x-4 gap-y-1 px-5 pt-3 pb-4 @min-[440px]:flex-col @min-[440px]:items-start @min-[440px]:justify-center @min-[440px]:py-4">
          <div>
            {heroNote && <p className="text-13 text-quiet">{heroNote}</p>}
            <TicketHero span={hero} label={heroLabel} />
          </div>
          <p className="pb-0.5 text-right @min-[440px]:pb-0 @min-[440px]:text-left">
            <span className="block text-17">{price}</span>
            {perDay && <span className="figures block text-13 text-quiet">{perDay}</span>}
          </p>
        </div>
      }
    >
      <div className="flex h-full items-center gap-4 p-3 pr-4">
        {emblem && <div className="size-20 flex-none @min-[440px]:size-28 [&>img]:size-full">{emblem}</div>}
        <div className="flex min-w-0 flex-1 flex-col gap-0.5 py-1">
          <Heading className="text-17 @min-[440px]:text-21" lang={lang}>
            <Link href={href} className="after:absolute after:inset-0 after:z-10">
              {title}
            </Link>
          </Heading>
          {subtitle && <div className="text-13 text-quiet">{subtitle}</div>}
          {aside && <div className="pt-1.5 text-13">{aside}</div>}
        </div>
      </div>
    </Ticket>
  );
}
