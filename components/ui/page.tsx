import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { JsonLd } from "@/components/ui/json-ld";
import { Ending } from "@/components/ui/surface";

/** The body of a page. All begin at the same edge; `narrow` is one column. Pages with their own h1 omit `title`. */
export function Page({
  title,
  lead,
  above,
  aside,
  narrow,
  className,
  jsonLd,
  children,
}: {
  title?: ReactNode;
  lead?: ReactNode;
  /** Content before the heading, such as a breadcrumb. */
  above?: ReactNode;
  /** Content beside the heading, such as a sort control or a button. */
  aside?: ReactNode;
  narrow?: boolean;
  className?: string;
  /** Structured data for search engines. */
  jsonLd?: unknown;
  children: ReactNode;
}) {
  const page = (
    <main
      id="content"
      tabIndex={-1}
      className={classNames("measure pt-6 pb-20 outline-none md:pt-10", className)}
    >
      <div className={classNames(narrow && "max-w-column")}>
        {above && <div className="-mt-4 pb-2">{above}</div>}
        {title && (
          <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 pb-6 md:pb-8">
            <div className="max-w-text">
              <h1 className="text-28 md:text-40">{title}</h1>
              {lead && <p className="pt-2 text-17 text-quiet">{lead}</p>}
            </div>
            {aside}
          </header>
        )}
        {children}
      </div>
    </main>
  );
  return jsonLd ? <Ending last={<JsonLd of={jsonLd} />}>{page}</Ending> : page;
}
