import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

/** A part of a page with its heading, and the way to more of it. */
export function Section({
  id,
  title,
  lead,
  more,
  children,
}: {
  id: string;
  title: string;
  lead?: string;
  more?: { href: string; text: string };
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="pt-14 md:pt-18">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 pb-5">
        <div>
          <h2 id={id} className="text-21 md:text-28">
            {title}
          </h2>
          {lead && <p className="pt-1 text-quiet">{lead}</p>}
        </div>
        {more && (
          <Link href={more.href} className="text-link flex min-h-11 items-center font-medium">
            {more.text}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
