import { notFound } from "next/navigation";

export { notFoundMetadata as generateMetadata } from "@/lib/platform/pages/not-found-metadata";

/** Paths with one segment that no rewrite matches, such as /x.txt. */
export default function MissingFile() {
  notFound();
}
