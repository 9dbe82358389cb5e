import type { MailEvent } from "@/lib/notifications/rules";
import type { MailProps } from "./render";

/** One mail with invented data, for the preview and the tests. */
export type MailSample = {
  [E in MailEvent]: { name: string; event: E; props: MailProps[E] };
}[MailEvent];
