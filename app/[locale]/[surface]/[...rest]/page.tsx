import { renderNotFound } from "@/components/shell/not-found-screen";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export { notFoundMetadata as generateMetadata } from "@/components/shell/not-found-screen";

/** Every path without a page. */
export default async function MissingPage({ params }: PageProps) {
  await pageLocation(params);
  return renderNotFound();
}
