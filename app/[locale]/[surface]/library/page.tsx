import { LibraryScreen } from "@/components/delivery/library-screen";
import { listLibrary } from "@/lib/delivery/library/queries";
import { type PageProps, pageTitle, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("delivery.library.title", "ui.descriptions.library");

export default async function LibraryPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/library");
  return <LibraryScreen library={await listLibrary(viewer, locale)} />;
}
