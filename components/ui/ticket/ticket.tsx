import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";

export type TicketNameProps = { title: string; href?: string; lang?: string };

type TicketProps = {
  /** The content of the body. */
  children: ReactNode;
  /** The content of the stub. */
  stub: ReactNode;
  /** `auto` places the stub beside the body from a width of 440 px. `column` always places it below. */
  shape?: "auto" | "column";
  /** `tearing` plays the tear-off animation once on appearance. `still` shows the torn ticket. */
  torn?: "tearing" | "still";
  /** Draws an outline only, for placeholders. */
  blank?: boolean;
  className?: string;
};

/** Two parts joined at a perforated seam (ticket.css). A size container: a flex row needs to set its width. */
export function Ticket({ children, stub, shape = "auto", torn, blank, className }: TicketProps) {
  return (
    <div
      className={classNames(
        "ticket",
        shape === "column" && "ticket-column",
        torn && `ticket-${torn}`,
        blank && "ticket-blank",
        className,
      )}
    >
      <div className="ticket-frame">
        <div className="ticket-body">{children}</div>
        <div className="ticket-stub">{stub}</div>
      </div>
    </div>
  );
}

/** The name of a ticket, a link where it has a page. */
export function TicketName({ level: Heading, lang, href, title }: TicketNameProps & { level: "h2" | "h3" }) {
  return (
    <Heading className="text-17" lang={lang}>
      {href ? (
        <Link href={href} className="hover:underline">
          {title}
        </Link>
      ) : (
        title
      )}
    </Heading>
  );
}
