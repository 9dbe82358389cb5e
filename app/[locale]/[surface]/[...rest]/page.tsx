import { notFound } from "next/navigation";

// The served HTML has the title of not-found.tsx. After hydration the browser shows this one.
export { notFoundMetadata as generateMetadata } from "@/components/shell/not-found-screen";

/** Every path without a page. */
export default function MissingPage() {
  notFound();
}
