import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

export function Section({
  id,
  title,
  lead,
  more,
  compact = false,
  children,
}: {
  id: string;
  title: string;
  lead?: string;
  more?: { href: string; text: string };
  compact?: boolean;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={compact ? "pt-6" : "pt-14 md:pt-18"}>
      <div
        className={`flex flex-wrap items-end justify-between gap-x-8 gap-y-1 ${compact ? "pb-2 md:pb-3" : "pb-5"}`}
      >
        <div>
          <h2 id={id} className={compact ? "py-2 text-21" : "text-21 md:text-28"}>
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
