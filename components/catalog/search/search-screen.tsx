import type { Surface } from "@/lib/platform/routing/paths";
import { DesktopSearch } from "./search-desktop";
import { MobileSearch } from "./search-mobile";
import type { SearchView } from "./search-parts";

/** The search page in the layout of the surface. */
export function SearchScreen({ surface, ...view }: SearchView & { surface: Surface }) {
  return surface === "mobile" ? <MobileSearch {...view} /> : <DesktopSearch {...view} />;
}
