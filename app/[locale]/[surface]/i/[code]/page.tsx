import { getTranslations } from "next-intl/server";
import { InviteScreen } from "@/components/referrals/invite-screen";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";
import { getInvitation } from "@/lib/referrals/get-invitation";

type Props = PageProps<"code">;

export async function generateMetadata({ params }: Props) {
  const { brand, locale } = await pageLocation(params);
  const t = await getTranslations({ locale, namespace: "referrals" });
  const [title, description] = [t("page_title", { brand }), t("description", { brand })];
  return { title: { absolute: title }, description, robots: { index: false, follow: true } };
}

export default async function InvitePage({ params }: Props) {
  const { brand } = await pageLocation(params);
  return <InviteScreen invitation={await getInvitation((await params).code)} brand={brand} />;
}
