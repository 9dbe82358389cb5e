import { redirect } from "next/navigation";
import SurfaceLayout from "@/app/[locale]/[surface]/layout";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findMemberships } from "@/lib/platform/auth/merchant-access";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { type ConsoleProps, consoleLocale } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export { notFoundMetadata as generateMetadata } from "@/lib/platform/pages/not-found-metadata";

/** Leads a member to the console of its merchant, or to the profile, which names all of them. To others it does not exist. */
export default async function MerchantConsolesPage({ params }: ConsoleProps) {
  const locale = await consoleLocale(params);
  const viewer = await pageViewer(locale);
  const [first, ...others] = viewer.kind === "user" ? await findMemberships(viewer.userId) : [];
  if (first) {
    const path = others.length === 0 ? `/merchant/${first.handle}` : "/profile";
    redirect(localizedPath(path, { locale, surface: "desktop" }));
  }
  respondNotFound();
  return (
    <SurfaceLayout params={Promise.resolve({ locale, surface: "desktop" })}>
      <NotFoundScreen />
    </SurfaceLayout>
  );
}
