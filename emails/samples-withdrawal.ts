import type { PassLine } from "./pass";
import type { MailSample } from "./sample";

type Invented = {
  orderId: string;
  lines: [PassLine, PassLine, PassLine];
  support: string;
  at: Date;
  until: Date;
};

/** What a vendor is asked, and the confirmation of a withdrawal. */
export function withdrawalSamples({ orderId, lines, support, at, until }: Invented): MailSample[] {
  const [week, months, lifetime] = lines;
  const received = { orderId, at, support };
  return [
    {
      name: "vendor-confirmation",
      event: "vendor-confirmation",
      props: {
        pass: months,
        soldAt: at,
        answerBy: until,
        codes: [
          { digest: "6f1d2c3b", ending: "F7KU" },
          { digest: "a5e74f7a", ending: null },
        ],
        usedToken: "sample",
        unusedToken: "sample",
      },
    },
    {
      name: "withdrawal-received",
      event: "withdrawal-received",
      props: {
        ...received,
        lines: [months],
        amountCents: 11700,
        kept: [
          { line: week, reason: "shown" },
          { line: lifetime, reason: "free" },
        ],
      },
    },
    {
      name: "withdrawal-received-none",
      event: "withdrawal-received",
      props: { ...received, lines: [], amountCents: 0, kept: [{ line: week, reason: "over" }] },
    },
  ];
}
