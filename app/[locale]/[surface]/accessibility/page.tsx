import { LegalScreen } from "@/components/shell/legal-screen";
import { legalPlaceholderValues } from "@/lib/blog/rules";
import { legalPage } from "@/lib/platform/pages/legal";
import type { PageProps } from "@/lib/platform/pages/page";
import { sellerIdentity } from "@/lib/platform/seller";

export const dynamic = "force-static";

const { readText, generateMetadata } = legalPage("accessibility", legalPlaceholderValues);

export { generateMetadata };

export default async function LegalPage(props: PageProps) {
  return <LegalScreen {...(await readText(props))} seller={sellerIdentity()} />;
}
