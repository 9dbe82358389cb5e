"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { AwaitedPageHost } from "@/components/shell/awaited-page";
import { LanguageSelect } from "@/components/shell/language-select";
import { Logo } from "@/components/shell/logo";
import { PlainSelect } from "@/components/shell/plain-select";
import { chooseTheme } from "@/components/shell/show-theme";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { THEMES } from "@/lib/platform/pages/theme";
import { parsePath } from "@/lib/platform/routing/paths";

type ScreenPart = {
  path: string;
  name: string;
  /** what waits there, "99+" */
  count?: string;
};
/**
 * An entry of the rail under its group, with the pages that are its tabs, itself first. Without a group it stands in the
 * menu of the person. The names are shown.
 */
export type RailScreen = ScreenPart & { group: string | null; parts?: readonly ScreenPart[] };

type Props = {
  brand: string;
  /** which console it is */
  badge: string;
  /** the entry of the console, which is current only at its own address */
  home: string;
  email: string;
  /** what the person may do here, e.g. the names of roles */
  position: string;
  screens: readonly RailScreen[];
  /** the search of the console, in the rail and in the bar of phones */
  find?: ReactNode;
  compactFind?: ReactNode;
  /** below the appearance in the rail */
  leave?: ReactNode;
  children: ReactNode;
};

/** The frame of a console: the rail, which is a drawer below 900 px, and the page. */
export function ConsoleFrame({ children, ...rail }: Props) {
  const t = useTranslations("console.frame");
  const drawer = useRef<HTMLDialogElement>(null);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when another page is shown
  useEffect(() => drawer.current?.close(), [path]);
  return (
    <div className="flex flex-1 flex-col min-[900px]:flex-row">
      <AwaitedPageHost console />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-3"
      >
        {t("skip")}
      </a>
      <header className="flex min-h-14 items-center gap-2 border-b border-hairline px-3 min-[900px]:hidden">
        <button
          type="button"
          aria-label={t("menu")}
          className="hit grid cursor-pointer place-items-center"
          onClick={() => drawer.current?.showModal()}
        >
          <svg aria-hidden="true" className="icon" width="22" height="22" viewBox="0 0 24 24">
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
        </button>
        <Brand {...rail} />
        {rail.compactFind}
      </header>
      <dialog
        ref={drawer}
        aria-label={t("menu")}
        className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r border-hairline bg-paper px-2 text-ink backdrop:bg-veil"
      >
        <div className="flex h-full flex-col">
          <button
            type="button"
            aria-label={t("close_menu")}
            className="hit self-end grid flex-none cursor-pointer place-items-center"
            onClick={() => drawer.current?.close()}
          >
            <Icon name="close" />
          </button>
          <Rail {...rail} />
        </div>
      </dialog>
      <aside className="sticky top-0 hidden h-[calc(100dvh-2.2rem)] w-60 flex-none flex-col border-r border-hairline px-2 min-[900px]:flex">
        <div className="flex flex-none items-center justify-between gap-2 pr-1 pl-2">
          <Brand {...rail} short={rail.find !== undefined} />
          {rail.find}
        </div>
        <Rail {...rail} />
      </aside>
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 pt-5 pb-16 outline-none min-[900px]:px-8 min-[900px]:pt-4"
      >
        <PartTabs screens={rail.screens} />
        {children}
      </main>
    </div>
  );
}

/** `short`: the sign of the brand without its name, beside a search. */
export function Brand({ brand, badge, short }: Pick<Props, "brand" | "badge"> & { short?: boolean }) {
  return (
    <p className="flex min-h-11 min-w-0 items-center gap-2 font-semibold min-[900px]:min-h-10">
      <Logo size={22} />
      <span className={classNames("truncate", short && "sr-only")}>{brand}</span>
      <span className="flex-none rounded-small border border-control px-1.5 text-13 font-medium whitespace-nowrap">
        {badge}
      </span>
    </p>
  );
}

function Rail({ screens, home, ...person }: Omit<Props, "children" | "brand" | "badge">) {
  const t = useTranslations("console.frame");
  const path = parsePath(usePathname()).path;
  const id = useId();
  const groups = [...new Set(screens.map(({ group }) => group))].filter((group) => group !== null);
  const own = screens.filter(({ group }) => group === null);
  return (
    <>
      <nav aria-label={t("menu")} className="min-h-0 flex-1 overflow-y-auto py-1">
        {groups.map((group, position) => (
          <div key={group} className="pb-0.5">
            <h2 id={`${id}-${position}`} className="px-2 text-13 leading-5 font-medium text-quiet">
              {group}
            </h2>
            <ul aria-labelledby={`${id}-${position}`}>
              {screens
                .filter((screen) => screen.group === group)
                .map((screen) => (
                  <RailLink key={screen.path} screen={screen} isCurrent={isWithin(path, screen, home)} />
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <Person key={path} {...person}>
        {own.length > 0 && (
          <ul>
            {own.map((screen) => (
              <RailLink key={screen.path} screen={screen} isCurrent={isWithin(path, screen, home)} />
            ))}
          </ul>
        )}
      </Person>
    </>
  );
}

/** Who is signed in, and behind it what belongs to the person: own screens, language, appearance, the ways out. */
function Person({
  email,
  position,
  leave,
  children,
}: Pick<Props, "email" | "position" | "leave" | "children">) {
  const t = useTranslations("console.frame");
  return (
    <details className="relative flex-none border-t border-hairline">
      <summary
        aria-label={`${t("account")}: ${email}`}
        title={email}
        className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-control px-2 hover:bg-tint max-[899px]:min-h-11"
      >
        <Icon name="user" size={18} className="flex-none" />
        <span className="min-w-0 truncate text-13">{email}</span>
        <Icon name="down" size={16} className="ml-auto flex-none rotate-180 text-quiet" />
      </summary>
      <div className="absolute inset-x-0 bottom-full z-20 mb-1 flex flex-col gap-1 rounded-control border border-hairline bg-raised p-2">
        <p className="px-2 text-13 wrap-anywhere text-quiet">
          {email}
          <br />
          {position}
        </p>
        {children}
        <div className="flex flex-col items-start">
          <LanguageSelect label={t("language")} />
          <ThemeSelect />
        </div>
        {leave}
        <Link href="/" className="text-link inline-flex min-h-11 items-center px-2">
          {t("to_shop")}
        </Link>
      </div>
    </details>
  );
}

const isAt = (path: string, screen: string, home: string) =>
  path === screen || (screen !== home && path.startsWith(`${screen}/`));
const isWithin = (path: string, { path: head, parts = [] }: RailScreen, home: string) =>
  [head, ...parts.map((part) => part.path)].some((screen) => isAt(path, screen, home));

function RailLink({ screen: { path, name, count }, isCurrent }: { screen: RailScreen; isCurrent: boolean }) {
  return (
    <li>
      <ConsoleLink
        href={path}
        aria-current={isCurrent ? "page" : undefined}
        className={classNames(
          "flex min-h-7.5 items-center gap-2 rounded-control px-2 font-medium hover:bg-tint max-[899px]:min-h-11",
          isCurrent && "bg-tint",
        )}
      >
        <span className="min-w-0 truncate" title={name}>
          {name}
        </span>
        <Count>{count}</Count>
      </ConsoleLink>
    </li>
  );
}

function Count({ children }: { children?: string }) {
  const t = useTranslations("console.frame");
  if (!children) return null;
  return (
    <span className="figures ml-auto flex-none rounded-small bg-tint px-1.5 text-13 leading-5">
      {/* The name of a link without spaces would read as one word. */}
      <span className="sr-only"> {t("waiting", { count: children })}</span>
      <span aria-hidden="true">{children}</span>
    </span>
  );
}

/** The pages that share an entry of the rail, as tabs above each of them. */
function PartTabs({ screens }: { screens: readonly RailScreen[] }) {
  const t = useTranslations("console.frame");
  const path = parsePath(usePathname()).path;
  const parts = screens.flatMap(({ parts = [] }) => (parts.some((part) => part.path === path) ? parts : []));
  if (parts.length < 2) return null;
  return (
    <nav aria-label={t("parts")} className="-mt-2 mb-4 border-b border-hairline">
      <ul className="flex flex-wrap gap-x-5">
        {parts.map((part) => (
          <li key={part.path}>
            <ConsoleLink
              href={part.path}
              aria-current={part.path === path ? "page" : undefined}
              className="-mb-px inline-flex min-h-9 items-center gap-2 border-b-2 border-transparent font-medium text-quiet hover:text-ink aria-[current]:border-ink aria-[current]:text-ink max-[899px]:min-h-11"
            >
              {part.name}
              <Count>{part.count}</Count>
            </ConsoleLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ThemeSelect() {
  const t = useTranslations("ui.appearance");
  const [theme, setTheme] = useState<string>("system");
  // The served page does not know the choice; the script in the head has shown it already.
  useEffect(() => setTheme(document.documentElement.dataset.theme ?? "system"), []);
  return (
    <PlainSelect
      label={t("theme")}
      icon="eye"
      options={THEMES.map((value) => ({ value, text: t(value) }))}
      value={theme}
      onChoose={(value) => {
        setTheme(value);
        chooseTheme(value);
      }}
    />
  );
}
