"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { ReauthenticationContext, type WithReauthentication } from "@/components/ui/reauthentication";
import { type ApiResult, setFactorRecovery } from "@/lib/platform/api/client";
import { ReauthenticateForm } from "./reauthenticate-form";

const REAUTHENTICATION_REQUIRED = "40312";
const SECOND_FACTOR_REQUIRED = "40314";

type Question = { resolve: (reauthenticated: boolean) => void; promise: Promise<boolean> };

/**
 * The reauthentication dialog for all calls made by its children. In staff mode it also asks for any call after staff
 * mode has ended, and then repeats the call, so that nothing typed is lost.
 */
export function ReauthenticationProvider({
  email,
  hasPassword,
  staffMode = false,
  factorPath,
  children,
}: {
  email: string;
  hasPassword: boolean;
  staffMode?: boolean;
  /** Where the second factor is set up, which returns to the present page. */
  factorPath?: string;
  children: ReactNode;
}) {
  const t = useTranslations("accounts");
  const [question, setQuestion] = useState<Question>();
  const open = useRef<Question>(undefined);

  /** Calls that ask at the same time share one dialog. */
  const ask = useCallback((): Promise<boolean> => {
    if (!open.current) {
      let resolve: Question["resolve"] = () => {};
      const promise = new Promise<boolean>((settle) => {
        resolve = settle;
      });
      open.current = { resolve, promise };
      setQuestion(open.current);
    }
    return open.current.promise;
  }, []);

  useEffect(() => {
    if (!staffMode) return;
    setFactorRecovery(ask);
    return () => setFactorRecovery(undefined);
  }, [staffMode, ask]);

  const withReauthentication: WithReauthentication = useCallback(
    async <T,>(call: () => Promise<ApiResult<T>>) => {
      const result = await call();
      const needsFactor = !result.ok && result.code === SECOND_FACTOR_REQUIRED;
      if (needsFactor && factorPath && !staffMode)
        location.assign(`${factorPath}?redirect=${encodeURIComponent(location.pathname + location.search)}`);
      if (result.ok || result.code !== REAUTHENTICATION_REQUIRED) return result;
      return (await ask()) ? call() : { ...result, message: "" };
    },
    [staffMode, factorPath, ask],
  );

  function closeDialog(reauthenticated: boolean): void {
    const { current } = open;
    open.current = undefined;
    setQuestion(undefined);
    current?.resolve(reauthenticated);
  }

  return (
    <ReauthenticationContext.Provider value={withReauthentication}>
      {children}
      <Dialog
        open={question !== undefined}
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
