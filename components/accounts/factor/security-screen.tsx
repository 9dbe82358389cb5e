"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FactorSetup } from "@/components/accounts/factor/enter-screen";
import { RecoveryCodes } from "@/components/accounts/factor/recovery-codes";
import { DeviceList } from "@/components/accounts/profile/device-list";
import { ConsoleHeader } from "@/components/console/page-header";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/local-time";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useCall } from "@/components/ui/use-call";
import type { SessionView } from "@/lib/accounts/devices/contract";
import { api } from "@/lib/platform/api/client";
import type { StaffSessionView } from "@/lib/staff/contract";

/** One's own sign-in: another authenticator app, new recovery codes, staff mode, and the devices that are signed in. */
export function SecurityScreen({
  session,
  sessions,
}: {
  session: StaffSessionView;
  sessions: SessionView[];
}) {
  const t = useTranslations("console.security");
  const devices = useTranslations("accounts.devices");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(network);
  const [codes, setCodes] = useState<string[]>();
  const [replaces, setReplaces] = useState(false);
  const done = () => {
    setCodes(undefined);
    setReplaces(false);
    router.refresh();
  };

  async function renew() {
    const result = await run((options) =>
      withReauthentication(() => api.post("/auth/second-factor/recovery-codes", {}, options)),
    );
    if (result.ok) setCodes(result.data.recovery_codes);
  }

  if (codes) return <RecoveryCodes codes={codes} onDone={done} />;
  if (replaces)
    return (
      <>
        <ConsoleHeader title={t("replace_title")} />
        <FactorSetup onConfirmed={setCodes} />
      </>
    );
  return (
    <>
      <ConsoleHeader title={t("title")} />
      <dl className="flex flex-col gap-4">
        <div>
          <dt className="text-13 text-quiet">{t("mode")}</dt>
          <dd>
            {session.expires_at && <LocalTime at={session.expires_at} />}
            <span className="block text-quiet">{t("idle", { minutes: session.idle_minutes })}</span>
          </dd>
        </div>
        <div>
          <dt className="text-13 text-quiet">{t("recovery")}</dt>
          <dd>{t("recovery_left", { count: session.recovery_codes_left })}</dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-3 pt-6">
        <Button pending={pending} onClick={() => void renew()}>
          {t("renew")}
        </Button>
        <Button onClick={() => setReplaces(true)}>{t("replace")}</Button>
      </div>
      <ErrorNotice className="mt-4">{problem}</ErrorNotice>
      <section aria-labelledby="devices" className="max-w-text pt-8">
        <h2 id="devices" className="text-17 font-semibold">
          {devices("title")}
        </h2>
        <p className="pb-3 text-quiet">{devices("text")}</p>
        <div className="rounded-control border border-hairline bg-raised">
          <DeviceList initial={sessions} />
        </div>
      </section>
    </>
  );
}
