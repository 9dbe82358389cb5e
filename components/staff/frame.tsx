"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConsoleFrame } from "@/components/shell/console-frame";
import { FindButton } from "@/components/staff/find/find-button";
import { FindHost } from "@/components/staff/find/find-host";
import { type ConsoleScreen, SCREEN_GROUPS } from "@/components/staff/screens";
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
  const grouped = SCREEN_GROUPS.flatMap((group) =>
    screens
      .filter((screen) => screen.group === group)
      .map(({ path, name }) => ({ path, group: t(`group.${group}`), name: t(name) })),
  );
  return (
    <ConsoleFrame
      brand={brand}
      badge={t("badge")}
      home="/console"
      email={email}
      position={roles.map((role) => roleName(role as "admin")).join(" · ")}
      screens={grouped}
      find={<FindButton />}
      compactFind={<FindButton compact />}
      leave={<LeaveButton />}
    >
      <FindHost screens={screens} />
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
