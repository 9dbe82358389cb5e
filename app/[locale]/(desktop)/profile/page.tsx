import { ProfileScreen } from "@/components/accounts/profile-screen";
import { getProfile } from "@/lib/accounts/queries";
import { type PageProps, pageTitle, requirePageUser } from "@/lib/page";

export const generateMetadata = pageTitle("accounts.profile.title");

export default async function ProfilePage(props: PageProps) {
  const { viewer } = await requirePageUser(props, "desktop", "/profile");
  return <ProfileScreen profile={await getProfile(viewer)} />;
}
