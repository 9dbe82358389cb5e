import { ProfileScreen } from "@/components/accounts/profile/profile-screen";
import { getProfilePage } from "@/lib/accounts/profile/get-profile-page";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { safeRedirect } from "@/lib/platform/routing/paths";

export const generateMetadata = pageTitle("accounts.profile.title", "ui.descriptions.profile");

export default async function ProfilePage(props: PageProps) {
  const { viewer } = await requirePageUser(props, "/profile");
  const returnTo = safeRedirect(await queryValue(props.searchParams, "redirect"));
  return <ProfileScreen page={await getProfilePage(viewer)} returnTo={returnTo} />;
}
