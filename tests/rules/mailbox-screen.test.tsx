import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MailboxScreen } from "@/components/notifications/mailbox-screen";
import { MailboxInput } from "@/lib/notifications/contract";

const mail = (n: number) => ({
  id: `mail_${n}`,
  at: "2026-11-20T10:30:05.000Z",
  to: "buyer@example.com",
  subject: `Mail ${n}`,
  text: "",
  html: "",
  headers: {},
  event: "keys",
  locale: "en",
});
const render = (query: object, shown: number, total: number) => {
  const mails = Array.from({ length: shown }, (_, n) => mail(n));
  return renderToStaticMarkup(<MailboxScreen page={{ ...MailboxInput.parse(query), mails, total }} />);
};
const links = (html: string) =>
  [...html.matchAll(/<a class="hit[^"]*" rel="(\w+)" href="([^"]+)"/g)].map(([, rel, href]) => [
    rel,
    href?.replaceAll("&amp;", "&"),
  ]);

it("the mailbox treats invalid query values as absent", () => {
  const first = { page: 1, size: 100 };
  for (const query of [{}, { to: "", page: "0", size: "101" }, { to: ["a", "b"], page: "x", size: "" }])
    expect(MailboxInput.parse(query)).toEqual(first);
  expect(MailboxInput.parse({ to: " a@b.example ", page: "3", size: "20" })).toEqual({
    to: "a@b.example",
    page: 3,
    size: 20,
  });
});

it("the mailbox links to newer and older emails of the same address, and says which are shown", () => {
  const middle = render({ to: "a+b@c.example", page: 2, size: 2 }, 2, 5);
  expect(links(middle)).toEqual([
    ["prev", "/dev/mailbox?to=a%2Bb%40c.example&size=2"],
    ["next", "/dev/mailbox?to=a%2Bb%40c.example&page=3&size=2"],
  ]);
  expect(middle).toContain("3 to 4 of 5 mails to a+b@c.example.");
  expect(middle).toContain('href="/dev/mailbox.json?to=a%2Bb%40c.example&amp;page=2&amp;size=2"');
  const only = render({}, 1, 1);
  expect([links(only), only.includes("1 mail.")]).toEqual([[], true]);
  expect(links(render({ page: 9 }, 0, 150))).toEqual([["prev", "/dev/mailbox?page=2"]]);
});
