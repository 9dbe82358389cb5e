import { LegalScreen } from "@/components/shell/legal-screen";
import { legalPlaceholderValues } from "@/lib/blog/rules";
import { readLegal } from "@/lib/platform/content/legal";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

async function load(params: PageProps["params"]) {
  const location = await pageLocation(params);
  return { location, text: await readLegal("privacy-policy", location, legalPlaceholderValues(location)) };
}

export async function generateMetadata({ params }: PageProps) {
  const { location, text } = await load(params);
  const { title, description } = text;
  return publicMetadata("/privacy-policy", location, { title, description });
}

export default async function LegalPage({ params }: PageProps) {
  const { text } = await load(params);
  return <LegalScreen title={text.title} html={text.html} />;
}
