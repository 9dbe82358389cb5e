import type { PassLine } from "./pass";
import type { MailSample } from "./sample";

type Invented = {
  orderId: string;
  week: PassLine;
  months: PassLine;
  note: string;
  support: string;
  at: Date;
};

/** The mails about passes that are owned. */
export const passSamples = ({ orderId, week, months, note, support, at }: Invented): MailSample[] => [
  { name: "pass-ending", event: "pass-ending", props: { orderId, pass: week, reminder: "ends", at } },
  {
    name: "pass-ending-redeem",
    event: "pass-ending",
    props: { orderId, pass: months, reminder: "redeem_by", at },
  },
  {
    name: "replacement-refused",
    event: "replacement-refused",
    props: { orderId, pass: week, note, support },
  },
];
