"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ConsoleFrame } from "@/components/shell/console-frame";
import type { MerchantRole } from "@/lib/merchants/rules";
import { MERCHANT_GROUPS, merchantScreensFor } from "./screens";
import { useOpenRequests } from "./use-open-requests";

type Props = { handle: string; name: string; email: string; role: MerchantRole; children: ReactNode };

/** The frame of a merchant's console. */
export function MerchantFrame({ handle, name, email, role, children }: Props) {
  const t = useTranslations("console.merchant");
  const home = `/merchant/${handle}`;
  const waiting = useOpenRequests();
  const screens = merchantScreensFor(role);
  const grouped = MERCHANT_GROUPS.flatMap((group) =>
    screens
      .filter((screen) => screen.group === group)
      .map((screen) => ({
        path: `${home}${screen.path}`,
        group: t(`group.${group}`),
        name: t(`screen.${screen.name}`),
        count: screen.name === "requests" ? waiting : undefined,
      })),
  );
  return (
    <ConsoleFrame
      brand={name}
      badge={t("badge")}
      home={home}
      email={email}
      position={t(`role.${role}`)}
      screens={grouped}
    >
      {children}
    </ConsoleFrame>
  );
}
