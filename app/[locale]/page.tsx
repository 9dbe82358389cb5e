import { notFound } from "next/navigation";

export { notFoundMetadata as generateMetadata } from "@/components/shell/not-found-screen";

/** Addresses of one part that no rewrite leads to a surface, such as /x.txt. */
export default function MissingPage() {
  notFound();
}
