import { ConsoleLink } from "@/components/console/link";

/** The parts of a queue, such as open and decided: links, of which one is the present one. */
export function StateTabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { value: string; label: string; href: string }[];
  current: string;
}) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-2">
        {tabs.map((tab) => (
          <li key={tab.value}>
            <ConsoleLink
              href={tab.href}
              aria-current={tab.value === current ? "page" : undefined}
              className="inline-flex min-h-11 items-center rounded-control border border-control px-3 hover:border-ink aria-[current]:border-ink aria-[current]:font-medium"
            >
              {tab.label}
            </ConsoleLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
