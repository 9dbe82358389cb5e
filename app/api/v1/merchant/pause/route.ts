import { OwnState } from "@/lib/merchants/profile/contract";
import { merchant } from "@/lib/merchants/rules";
import { changeOwnState } from "@/lib/merchants/states/change-own-state";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Take the products off the shop",
    description: "Paid orders are still served. All owners get an email.",
    access: merchant("profile.write", { reauthenticated: true }),
    result: OwnState,
    errors: ["merchant_state"],
  },
  ({ viewer }) => changeOwnState(viewer, "pause"),
);
