import { changeSettings } from "@/lib/accounts/profile/commands";
import { NotificationsView, UpdateNotificationsInput } from "@/lib/notifications/settings/contract";
import { getNotifications } from "@/lib/notifications/settings/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Which bulk mail goes to the account's e-mail, and in which language the shop writes",
    access: "user",
    result: NotificationsView,
    errors: [],
  },
  ({ viewer }) => getNotifications(viewer),
);

export const POST = endpoint(
  {
    summary: "Choose which bulk mail goes to the account's e-mail, and in which language the shop writes",
    description: "What is left out stays as it is. Turning `wait_list` off leaves all wait-lists.",
    access: "user",
    body: UpdateNotificationsInput,
    result: NotificationsView,
    errors: ["email_unverified"],
  },
  ({ body, viewer }) => changeSettings(viewer, body),
);
