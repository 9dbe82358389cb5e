import { getTranslations } from "next-intl/server";
import { type LegalText, readLegal } from "@/lib/platform/content/legal";
import { type PageUrls, publicMetadata, webPageJsonLd } from "./metadata";
import { type PageProps, pageLocation } from "./page";

/** The text of a legal page and its `generateMetadata`. `placeholders` returns the values that its text needs. */
export function legalPage(
  name: LegalText,
  placeholders: (location: PageUrls & { support: string }) => Readonly<Record<string, string>>,
) {
  async function load({ params }: Pick<PageProps, "params">) {
    const location = await pageLocation(params);
    return { location, text: await readLegal(name, location, placeholders(location)) };
  }
  return {
    /** The title and HTML of the page, with its JSON-LD. */
    async readText(props: PageProps) {
      const { location, text } = await load(props);
      const { title, description, html } = text;
      const t = await getTranslations({ locale: location.locale, namespace: "ui.legal" });
      const labels = { name: title, description, home: t("home") };
      return { title, html, jsonLd: webPageJsonLd(`/${name}`, location, labels) };
    },
    async generateMetadata(props: PageProps) {
      const { location, text } = await load(props);
      return publicMetadata(`/${name}`, location, { title: text.title, description: text.description });
    },
  };
}
