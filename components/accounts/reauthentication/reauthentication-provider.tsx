"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { ReauthenticationContext, type WithReauthentication } from "@/components/ui/reauthentication";
import type { ApiResult } from "@/lib/platform/api/client";
import { ReauthenticateForm } from "./reauthenticate-form";

const REAUTHENTICATION_REQUIRED = "40312";
const SECOND_FACTOR_REQUIRED = "40314";

/** The reauthentication dialog for all calls made by its children. */
export function ReauthenticationProvider({
  email,
  hasPassword,
  staffMode,
  factorPath,
  children,
}: {
  email: string;
  hasPassword: boolean;
  staffMode?: boolean;
  /** Where the second factor is set up or given, which returns to the present page; without it the page itself asks. */
  factorPath?: string;
  children: ReactNode;
}) {
  const t = useTranslations("accounts");
  const [resolveDialog, setResolveDialog] = useState<(reauthenticated: boolean) => void>();

  const withReauthentication: WithReauthentication = useCallback(
    async <T,>(call: () => Promise<ApiResult<T>>) => {
      const result = await call();
      const needsFactor = !result.ok && result.code === SECOND_FACTOR_REQUIRED;
      if (needsFactor && factorPath)
        location.assign(`${factorPath}?redirect=${encodeURIComponent(location.pathname + location.search)}`);
      // Staff mode has ended: the page redirects to the console's entrance, which returns to it.
      else if (needsFactor && staffMode) location.reload();
      if (result.ok || result.code !== REAUTHENTICATION_REQUIRED) return result;
      const reauthenticated = await new Promise<boolean>((resolve) => setResolveDialog(() => resolve));
      return reauthenticated ? call() : { ...result, message: "" };
    },
    [staffMode, factorPath],
  );

  function closeDialog(reauthenticated: boolean): void {
    resolveDialog?.(reauthenticated);
    setResolveDialog(undefined);
  }

  return (
    <ReauthenticationContext.Provider value={withReauthentication}>
      {children}
      <Dialog
        open={resolveDialog !== undefined}
        onClose={() => closeDialog(false)}
        title={t("reauthentication.title")}
        closeLabel={t("profile.close")}
      >
        <ReauthenticateForm
          email={email}
          hasPassword={hasPassword}
          staffMode={staffMode}
          onReauthenticated={() => closeDialog(true)}
        />
      </Dialog>
    </ReauthenticationContext.Provider>
  );
}
