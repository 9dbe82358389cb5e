import { notFound } from "next/navigation";

export { notFoundMetadata as generateMetadata } from "@/components/shell/not-found-screen";

/** Paths with one segment that no rewrite matches, such as /x.txt. */
export default function MissingFile() {
  notFound();
}
