import { changeSettings } from "@/lib/accounts/profile/change-settings";
import { NotificationsView, UpdateNotificationsInput } from "@/lib/notifications/settings/contract";
import { getNotifications } from "@/lib/notifications/settings/get-notifications";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The account's bulk email preferences and the language of its emails",
    access: "user",
    result: NotificationsView,
    errors: [],
  },
  ({ viewer }) => getNotifications(viewer),
);

export const POST = endpoint(
  {
    summary: "Change the account's bulk email preferences and the language of its emails",
    description: "Omitted fields keep their value. Turning `wait_list` off leaves all wait-lists.",
    access: "user",
    body: UpdateNotificationsInput,
    result: NotificationsView,
    errors: ["email_unverified"],
  },
  ({ body, viewer }) => changeSettings(viewer, body),
);
