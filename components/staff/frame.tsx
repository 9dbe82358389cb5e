"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type RailScreen } from "@/components/shell/console-frame";
import { FindButton } from "@/components/staff/find/find-button";
import { FindHost } from "@/components/staff/find/find-host";
import { type ConsoleScreen, familiesOf } from "@/components/staff/screens";
import { useWaiting } from "@/components/staff/use-waiting";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";

type Props = {
  brand: string;
  email: string;
  roles: readonly string[];
  screens: readonly ConsoleScreen[];
  children: ReactNode;
};

/** The frame of the staff console, with its search. */
export function StaffFrame({ brand, email, roles, screens, children }: Props) {
  const t = useTranslations("console.frame");
  const roleName = useTranslations("console.roles");
  const countOf = useWaiting();
  const entries: RailScreen[] = familiesOf(screens).map(({ group, members }) => {
    const [head] = members;
    return {
      path: head!.path,
      group: t(`group.${group}`),
      name: t(head!.name),
      count: countOf(members.map(({ path }) => path)),
      parts: members.map(({ path, name }) => ({ path, name: t(name), count: countOf([path]) })),
    };
  });
  const own = screens.filter(({ within }) => within === "account");
  return (
    <ConsoleFrame
      brand={brand}
      badge={t("badge")}
      home="/console"
      email={email}
      position={roles.map((role) => roleName(role as "admin")).join(" · ")}
      screens={[...entries, ...own.map(({ path, name }) => ({ path, group: null, name: t(name) }))]}
      find={<FindButton />}
      compactFind={<FindButton compact />}
      leave={<LeaveButton />}
    >
      <FindHost screens={screens} roles={roles} />
      {children}
    </ConsoleFrame>
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
