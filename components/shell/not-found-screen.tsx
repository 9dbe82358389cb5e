import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Link } from "@/components/ui/link";

/** Title of the page for an address that leads nowhere. */
export async function notFoundMetadata(): Promise<Metadata> {
  const t = await getTranslations("ui.not_found");
  return { title: t("title"), robots: { index: false } };
}

/** The page for an address that leads nowhere; answered with 404. */
export async function NotFoundScreen() {
  const t = await getTranslations("ui.not_found");
  return (
    <main
      id="content"
      className="mx-auto flex min-h-[60vh] max-w-xl flex-col items-start justify-center gap-4 px-6"
    >
      <h1 className="text-2xl font-semibold">{t("title")}</h1>
      <p>{t("text")}</p>
      <Link href="/" className="underline">
        {t("home")}
      </Link>
    </main>
  );
}
