import type { ReactNode } from "react";

/** A section of the profile with its own anchor, such as `/profile#devices`. */
export function ProfileSection({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
      <h2 id={`${id}-title`} className="text-21">
        {title}
      </h2>
      {lead && <p className="max-w-text pt-1 wrap-anywhere text-quiet">{lead}</p>}
      <div className="mt-4 divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
        {children}
      </div>
    </section>
  );
}
