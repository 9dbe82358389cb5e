import type { CSSProperties, ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { Perforation, TicketState } from "@/lib/platform/ticket";

export type TicketNameProps = { title: string; href?: string; lang?: string };

type TicketProps = {
  /** Its holes; without, a seam of small ones that count nothing. */
  holes?: Partial<Perforation> & Pick<Perforation, "units">;
  /** Its shape; by default whole. */
  state?: TicketState;
  /** The content of the body. */
  children: ReactNode;
  /** The content of the stub. */
  stub: ReactNode;
  /** `auto` places the stub beside the body from a width of 440 px. `column` always places it below. */
  shape?: "auto" | "column";
  /** The stub is a place for pieces that lie on each other (tear.css). */
  slot?: boolean;
  /** Draws an outline only, for placeholders. */
  blank?: boolean;
  className?: string;
};

/**
 * Two parts joined at a perforated seam, whose holes count the pass's time (ticket.css). A size container: a flex row needs to
 * set its width.
 */
export function Ticket({
  children,
  stub,
  shape = "auto",
  holes,
  state,
  slot,
  blank,
  className,
}: TicketProps) {
  return (
    <div
      className={classNames(
        "ticket",
        holes && (holes.units === null ? "ticket-endless" : "ticket-timed"),
        shape === "column" && "ticket-column",
        state && state !== "whole" && `ticket-${state}`,
        blank && "ticket-blank",
        className,
      )}
      style={holes && holeStyle(holes)}
    >
      <div className="ticket-frame">
        <div className="ticket-body">{children}</div>
        <div className={slot ? "ticket-stub ticket-slot" : "ticket-stub"}>{stub}</div>
      </div>
    </div>
  );
}

/** A stub alone. Its child is a piece. */
export function LooseStub({ holes, state, children }: Pick<TicketProps, "holes" | "state" | "children">) {
  return (
    <div
      className={classNames(
        "ticket ticket-loose",
        holes?.units === null ? "ticket-endless" : "ticket-timed",
        state && `ticket-${state}`,
      )}
      style={holes && holeStyle(holes)}
    >
      <div className="ticket-frame">
        <div className="ticket-stub ticket-slot">{children}</div>
      </div>
    </div>
  );
}

/** The data from which ticket.css cuts the holes: `--n` of them, `--s` spent, `--p` one that runs. */
function holeStyle({ units, spent = 0, present = null }: Partial<Perforation>): CSSProperties | undefined {
  if (!units) return undefined;
  const punched = spent > 0 || present !== null;
  return { "--n": units, ...(punched && { "--s": spent, "--p": present === null ? 0 : 1 }) } as CSSProperties;
}

/** The name of a ticket, a link where it has a page. */
export function TicketName({ level: Heading, lang, href, title }: TicketNameProps & { level: "h2" | "h3" }) {
  return (
    <Heading className="ticket-name" lang={lang}>
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
