import { TeamScreen } from "@/components/merchants/team/team-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { isOpenState, merchant } from "@/lib/merchants/rules";
import { listTeam } from "@/lib/merchants/team/list-team";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("team.manage");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_team.title");

export default async function MerchantTeamPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer } = page;
  return <TeamScreen team={await listTeam(viewer)} canChange={isOpenState(viewer.merchant.state)} />;
}
