import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export { notFoundMetadata as generateMetadata } from "@/lib/platform/pages/not-found-metadata";

/** Every path without a page. */
export default async function MissingPage({ params }: PageProps) {
  await pageLocation(params);
  respondNotFound();
  return <NotFoundScreen />;
}
