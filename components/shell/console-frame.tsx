"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { LanguageSelect } from "@/components/shell/language-select";
import { Logo } from "@/components/shell/logo";
import { PlainSelect } from "@/components/shell/plain-select";
import { chooseTheme } from "@/components/shell/show-theme";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { THEMES } from "@/lib/platform/pages/theme";
import { parsePath } from "@/lib/platform/routing/paths";

/** A page in the rail, under its group. The names are shown. */
export type RailScreen = { path: string; group: string; name: string };

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
        className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r border-hairline bg-paper p-4 text-ink backdrop:bg-veil"
      >
        <div className="flex h-full flex-col">
          <button
            type="button"
            aria-label={t("close_menu")}
            className="hit -mt-1 self-end grid cursor-pointer place-items-center"
            onClick={() => drawer.current?.close()}
          >
            <Icon name="close" />
          </button>
          <Rail {...rail} />
        </div>
      </dialog>
      <aside className="sticky top-0 hidden h-[calc(100dvh-2.2rem)] w-60 flex-none flex-col overflow-y-auto border-r border-hairline p-4 min-[900px]:flex">
        <Brand {...rail} />
        <Rail {...rail} />
      </aside>
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 pt-5 pb-16 outline-none min-[900px]:px-8"
      >
        {children}
      </main>
    </div>
  );
}

export function Brand({ brand, badge }: Pick<Props, "brand" | "badge">) {
  return (
    <p className="flex min-h-11 items-center gap-2 font-semibold">
      <Logo size={22} />
      {brand}
      <span className="flex-none rounded-small border border-control px-1.5 text-13 font-medium whitespace-nowrap">
        {badge}
      </span>
    </p>
  );
}

function Rail({ email, position, screens, home, find, leave }: Omit<Props, "children" | "brand" | "badge">) {
  const t = useTranslations("console.frame");
  const path = parsePath(usePathname()).path;
  const id = useId();
  const groups = [...new Set(screens.map(({ group }) => group))];
  return (
    <>
      {find && <div className="pt-3">{find}</div>}
      <nav aria-label={t("menu")} className="pt-3">
        {groups.map((group, position) => (
          <div key={group} className="pb-3">
            <h2 id={`${id}-${position}`} className="px-3 pb-0.5 text-13 font-medium text-quiet">
              {group}
            </h2>
            <ul aria-labelledby={`${id}-${position}`} className="flex flex-col gap-0.5">
              {screens
                .filter((screen) => screen.group === group)
                .map((screen) => (
                  <RailLink
                    key={screen.path}
                    screen={screen}
                    isCurrent={isCurrent(path, screen.path, home)}
                  />
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-1 pt-6">
        <p className="px-2.5 text-13 wrap-anywhere text-quiet">
          {email}
          <br />
          {position}
        </p>
        <div className="flex flex-col items-start">
          <LanguageSelect label={t("language")} />
          <ThemeSelect />
        </div>
        {leave}
        <Link href="/" className="text-link inline-flex min-h-11 items-center px-2.5">
          {t("to_shop")}
        </Link>
      </div>
    </>
  );
}

const isCurrent = (path: string, screen: string, home: string) =>
  path === screen || (screen !== home && path.startsWith(`${screen}/`));

function RailLink({ screen, isCurrent }: { screen: RailScreen; isCurrent: boolean }) {
  return (
    <li>
      <ConsoleLink
        href={screen.path}
        aria-current={isCurrent ? "page" : undefined}
        className={classNames(
          "flex min-h-11 items-center rounded-control px-3 font-medium hover:bg-tint",
          isCurrent && "bg-tint",
        )}
      >
        {screen.name}
      </ConsoleLink>
    </li>
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
