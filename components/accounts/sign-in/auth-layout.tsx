import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { Ticket } from "@/components/ui/ticket/ticket";

/** The layout of login and registration: the form on a ticket, beside it the benefits of an account. */
export function AuthLayout({
  title,
  lead,
  other,
  children,
}: {
  title: string;
  lead: string;
  /** The link to the other page: a question, the text of the link and its address. */
  other: { question: string; text: string; href: string };
  children: ReactNode;
}) {
  return (
    <Page>
      <div className="grid max-w-column gap-6 md:gap-8 lg:max-w-none lg:grid-cols-[minmax(0,1fr)_30rem] lg:gap-20">
        <div className="lg:pt-7">
          <header className="max-w-text">
            <h1 className="text-28 md:text-40">{title}</h1>
            <p className="pt-2 text-17 text-quiet">{lead}</p>
          </header>
          <Benefits />
        </div>
        <Ticket
          shape="column"
          className="self-start"
          stub={
            <div className="flex flex-wrap items-center gap-x-2 px-5 py-3 sm:px-7">
              <span className="text-quiet">{other.question}</span>
              <Link href={other.href} className="text-link flex min-h-11 items-center font-medium">
                {other.text}
              </Link>
            </div>
          }
        >
          <div className="px-5 py-6 sm:px-7 sm:py-7">{children}</div>
        </Ticket>
      </div>
    </Page>
  );
}

const BENEFITS: readonly { name: "codes" | "clock" | "promise"; icon: IconName }[] = [
  { name: "codes", icon: "library" },
  { name: "clock", icon: "clock" },
  { name: "promise", icon: "check" },
];

function Benefits() {
  const t = useTranslations("accounts.entry");
  return (
    <ul className="mt-8 hidden max-w-md divide-y divide-hairline border-y border-hairline lg:block">
      {BENEFITS.map(({ name, icon }) => (
        <li key={name} className="flex gap-4 py-4">
          <Icon name={icon} className="mt-0.5 text-quiet" />
          {t(name)}
        </li>
      ))}
    </ul>
  );
}
