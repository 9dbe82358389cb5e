import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { type ConsoleProps, consoleLocale } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";

export { notFoundMetadata as generateMetadata } from "@/lib/platform/pages/not-found-metadata";

/** Every path below a merchant's console without a page. */
export default async function MissingMerchantPage({ params }: ConsoleProps) {
  await consoleLocale(params);
  respondNotFound();
  return <NotFoundScreen />;
}
