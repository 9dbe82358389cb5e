import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/** A breadcrumb. The last item is the current page. `label` names the list for screen readers. */
export function Breadcrumb({
  label,
  items,
}: {
  label: string;
  items: readonly { text: string; href?: string; lang?: string }[];
}) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-wrap items-center gap-x-1 text-13 text-quiet">
        {items.map((item, i) => (
          <li key={item.text} className="flex min-w-0 items-center gap-1">
            {i > 0 && <Icon name="right" size={14} />}
            {item.href ? (
              <Link
                href={item.href}
                lang={item.lang}
                className="flex min-h-11 items-center hover:text-ink hover:underline"
              >
                {item.text}
              </Link>
            ) : (
              <span aria-current="page" lang={item.lang} className="flex min-h-11 items-center">
                {item.text}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
