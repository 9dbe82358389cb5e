import { BrandMark } from "@/components/shell/brand-mark";
import { SkipLink } from "@/components/shell/skip-link";
import { Link } from "@/components/ui/link";

/** The head of a phone page: the name. All else is in the bar below. */
export function MobileTop({ brand }: { brand: string }) {
  return (
    <header className="measure flex h-14 items-center">
      <SkipLink />
      <Link href="/" className="hit -ml-1 flex items-center gap-2 rounded-control px-1 text-17 font-semibold">
        <BrandMark size={22} />
        {brand}
      </Link>
    </header>
  );
}
