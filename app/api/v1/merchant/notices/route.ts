import { changeNotices, getNotices } from "@/lib/merchants/notices/change-notices";
import { NoticeSwitches, NoticeSwitchesInput } from "@/lib/merchants/notices/contract";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Which emails about the merchant the caller gets",
    description: "Owners get all and members none, unless they chose otherwise. Not for tokens.",
    access: merchant("notices.choose"),
    result: NoticeSwitches,
    errors: ["permission_missing"],
  },
  ({ viewer }) => getNotices(viewer),
);

export const POST = endpoint(
  {
    summary: "Switch emails about the merchant",
    description:
      "For the caller alone. The merchant's support address gets questions and the first sale in any case.",
    access: merchant("notices.choose", { whileSuspended: true }),
    body: NoticeSwitchesInput,
    result: NoticeSwitches,
    errors: ["permission_missing"],
  },
  ({ viewer, body }) => changeNotices(viewer, body),
);
