import { getTranslations } from "next-intl/server";
import { InviteScreen } from "@/components/referrals/invite-screen";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";
import { getInvitation } from "@/lib/referrals/queries";

type Props = PageProps & { params: Promise<{ locale: string; code: string }> };

export async function generateMetadata({ params }: Props) {
  const { brand, locale } = pageUrls(await pageLocale(params), "desktop");
  const t = await getTranslations({ locale, namespace: "referrals" });
  const [title, description] = [t("page_title", { brand }), t("description", { brand })];
  return { title: { absolute: title }, description, robots: { index: false, follow: true } };
}

export default async function InvitePage({ params }: Props) {
  const { brand } = pageUrls(await pageLocale(params), "desktop");
  return <InviteScreen invitation={await getInvitation((await params).code)} brand={brand} />;
}
