import { ProfileScreen } from "@/components/accounts/profile-screen";
import { getProfilePage } from "@/lib/accounts/queries-profile";
import { safeRedirect } from "@/lib/navigation";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/page";

export const generateMetadata = pageTitle("accounts.profile.title");

export default async function ProfilePage(props: PageProps) {
  const { viewer } = await requirePageUser(props, "desktop", "/profile");
  const back = safeRedirect(await queryValue(props.searchParams, "redirect"));
  return <ProfileScreen page={await getProfilePage(viewer)} back={back} />;
}
