import { ConsoleReferrals } from "@/components/referrals/console/referral-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "referrals",
  path: "/console/referrals",
  title: "console.referrals.title",
  access: staff("campaigns.manage"),
  input: ConsoleReferralsInput,
  read: (input) => listConsoleReferrals(input),
  screen: ConsoleReferrals,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
