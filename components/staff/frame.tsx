"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { LanguageSelect } from "@/components/shell/language-select";
import { Logo } from "@/components/shell/logo";
import { PlainSelect } from "@/components/shell/plain-select";
import { chooseTheme } from "@/components/shell/show-theme";
import { FindButton } from "@/components/staff/find/find-button";
import { FindHost } from "@/components/staff/find/find-host";
import { type ConsoleScreen, SCREEN_GROUPS } from "@/components/staff/screens";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import { THEMES } from "@/lib/platform/pages/theme";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

type Props = {
  brand: string;
  email: string;
  roles: readonly string[];
  screens: readonly ConsoleScreen[];
  children: ReactNode;
};

/** The frame of the staff console: the rail, which is a drawer below 900 px, and the page. */
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
        <Brand brand={rail.brand} />
        <FindButton compact />
      </header>
      <FindHost screens={rail.screens} />
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
        <Brand brand={rail.brand} />
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

export function Brand({ brand }: { brand: string }) {
  const t = useTranslations("console.frame");
  return (
    <p className="flex min-h-11 items-center gap-2 font-semibold">
      <Logo size={22} />
      {brand}
      <span className="rounded-small border border-control px-1.5 text-13 font-medium">{t("badge")}</span>
    </p>
  );
}

function Rail({ email, roles, screens }: Omit<Props, "children" | "brand">) {
  const t = useTranslations("console.frame");
  const roleName = useTranslations("console.roles");
  const path = parsePath(usePathname()).path;
  const id = useId();
  return (
    <>
      <div className="pt-3">
        <FindButton />
      </div>
      <nav aria-label={t("menu")} className="pt-3">
        {SCREEN_GROUPS.map((group) => {
          const ofGroup = screens.filter((screen) => screen.group === group);
          if (ofGroup.length === 0) return null;
          return (
            <section key={group} aria-labelledby={`${id}-${group}`} className="pb-3">
              <h2 id={`${id}-${group}`} className="px-3 pb-0.5 text-13 font-medium text-quiet">
                {t(`group.${group}`)}
              </h2>
              <ul className="flex flex-col gap-0.5">
                {ofGroup.map((screen) => (
                  <RailLink key={screen.path} screen={screen} isCurrent={isCurrent(path, screen)} />
                ))}
              </ul>
            </section>
          );
        })}
      </nav>
      <div className="mt-auto flex flex-col gap-1 pt-6">
        <p className="px-2.5 text-13 wrap-anywhere text-quiet">
          {email}
          <br />
          {roles.map((role) => roleName(role as "admin")).join(" · ")}
        </p>
        <div className="flex flex-col items-start">
          <LanguageSelect label={t("language")} />
          <ThemeSelect />
        </div>
        <LeaveButton />
        <Link href="/" className="text-link inline-flex min-h-11 items-center px-2.5">
          {t("to_shop")}
        </Link>
      </div>
    </>
  );
}

/** Every screen stands below the Today page, which is current only at its own address. */
const isCurrent = (path: string, screen: ConsoleScreen) =>
  path === screen.path || (screen.name !== "today" && path.startsWith(`${screen.path}/`));

function RailLink({ screen, isCurrent }: { screen: ConsoleScreen; isCurrent: boolean }) {
  const t = useTranslations("console.frame");
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
        {t(screen.name)}
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

/** Ends staff mode; the session stays signed in as an ordinary user's. */
function LeaveButton() {
  const t = useTranslations("console.frame");
  const page = useSurface();
  const [pending, setPending] = useState(false);
  async function leave() {
    setPending(true);
    const result = await api.post("/auth/second-factor/leave");
    if (result.ok) location.assign(localizedPath("/", page));
    else setPending(false);
  }
  return (
    <Button look="secondary" pending={pending} onClick={() => void leave()}>
      {t("leave")}
    </Button>
  );
}
