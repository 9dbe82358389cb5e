import { OwnState } from "@/lib/merchants/profile/contract";
import { merchant } from "@/lib/merchants/rules";
import { changeOwnState } from "@/lib/merchants/states/change-own-state";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Put the products back into the shop",
    description: "Not after a suspension, which staff end.",
    access: merchant("profile.write"),
    result: OwnState,
    errors: ["merchant_state"],
  },
  ({ viewer }) => changeOwnState(viewer, "resume"),
);
