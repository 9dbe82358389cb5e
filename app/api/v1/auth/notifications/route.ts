import { changeSettings } from "@/lib/accounts/commands-settings";
import { endpoint } from "@/lib/endpoint";
import { NotificationsView, UpdateNotificationsInput } from "@/lib/notifications/contract-settings";
import { getNotifications } from "@/lib/notifications/queries-settings";

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
