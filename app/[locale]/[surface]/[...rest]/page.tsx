import { notFound } from "next/navigation";

// The browser takes the page's own title once it is alive, and only until then the one of not-found.tsx.
export { notFoundMetadata as generateMetadata } from "@/components/shell/not-found-screen";

/** Every address that no page answers. */
export default function MissingPage() {
  notFound();
}
