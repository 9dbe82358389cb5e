"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import type { ApiResult } from "@/lib/platform/api/client";
import { ReauthenticateForm } from "./reauthenticate-form";

type Call<T> = () => Promise<ApiResult<T>>;
type Guarded = <T>(call: Call<T>) => Promise<ApiResult<T>>;

const PROOF_REQUIRED = "40312";
const Proof = createContext<Guarded>((call) => call());

/**
 * Makes a call that may require reauthentication. When the server requires it, the dialog opens and the call is
 * repeated afterwards. Closing the dialog returns a refusal without a message.
 */
export const useReauthentication = (): Guarded => useContext(Proof);

/** The reauthentication dialog for all calls made by its children. */
export function ReauthenticationProvider({
  email,
  hasPassword,
  children,
}: {
  email: string;
  hasPassword: boolean;
  children: ReactNode;
}) {
  const t = useTranslations("accounts");
  const [settle, setSettle] = useState<(proved: boolean) => void>();

  const guarded: Guarded = useCallback(async <T,>(call: Call<T>) => {
    const answer = await call();
    if (answer.ok || answer.code !== PROOF_REQUIRED) return answer;
    const proved = await new Promise<boolean>((resolve) => setSettle(() => resolve));
    return proved ? call() : { ...answer, message: "" };
  }, []);

  function end(proved: boolean): void {
    settle?.(proved);
    setSettle(undefined);
  }

  return (
    <Proof.Provider value={guarded}>
      {children}
      <Dialog
        open={settle !== undefined}
        onClose={() => end(false)}
        title={t("proof.title")}
        closeLabel={t("profile.close")}
      >
        <ReauthenticateForm email={email} hasPassword={hasPassword} onProved={() => end(true)} />
      </Dialog>
    </Proof.Provider>
  );
}
