import { ReferralsScreen } from "@/components/referrals/referrals-screen";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { ReferralInput } from "@/lib/referrals/contract";
import { getReferrals } from "@/lib/referrals/rewards/get-referrals";

export const generateMetadata = pageTitle("referrals.mine.title", "ui.descriptions.invite");

export default async function InvitePage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/invite");
  const parsed = ReferralInput.safeParse({ page: await queryValue(props.searchParams, "page") });
  const input = parsed.success ? parsed.data : ReferralInput.parse({});
  return <ReferralsScreen info={await getReferrals(viewer, input, locale)} {...input} />;
}
