"use client";

import { useLocale, useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Dated } from "@/components/ui/dated";
import { useTimeZone } from "@/components/ui/local-time";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast, showToastAfterNavigation } from "@/components/ui/toast";
import type { SessionView } from "@/lib/accounts/devices/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { localizedPath } from "@/lib/platform/routing/paths";

/** The session was already signed out, so the sign-out counts as successful. */
const ALREADY_SIGNED_OUT = "40408";
/** Number of sessions shown before the list is expanded. */
const INITIAL_COUNT = 8;

/** The user's sessions, with controls to sign out one, all others, or all (docs/product.md#72-accounts). */
export function DeviceList({ initial }: { initial: SessionView[] }) {
  const t = useTranslations("accounts.devices");
  const page = useSurface();
  const box = useRef<HTMLDivElement>(null);
  const { pending, run, post } = useCalls(useTranslations("errors")("network"));
  const [devices, setDevices] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [showAll, setShowAll] = useState(initial.length <= INITIAL_COUNT);
  const revoke = (body: object) => post("/auth/sessions/revoke", body);

  /** The pressed button is removed, so the list takes the focus. */
  function updateDevices(remaining: SessionView[]): void {
    setDevices(remaining);
    box.current?.focus({ preventScroll: true });
  }

  async function endOne({ session_id }: SessionView) {
    setProblem(undefined);
    const result = await revoke({ session_id });
    if (!result.ok && result.code !== ALREADY_SIGNED_OUT) return setProblem(result.message);
    showToast(t("ended"), "good");
    updateDevices(devices.filter((device) => device.session_id !== session_id));
  }

  async function endOthers() {
    setProblem(undefined);
    const result = await revoke({ all_others: true });
    if (!result.ok) return setProblem(result.message);
    showToast(t("ended_others", { count: result.data.revoked }), "good");
    updateDevices(devices.filter(({ current }) => current));
  }

  async function endAll() {
    setProblem(undefined);
    const result = await revoke({ all: true });
    if (!result.ok) return setProblem(result.message);
    showToastAfterNavigation(t("ended_all"), "good");
    location.replace(localizedPath("/", page));
    return "leaving";
  }

  return (
    <div ref={box} tabIndex={-1} className="divide-y divide-hairline outline-none">
      <ul className="divide-y divide-hairline">
        {(showAll ? devices : devices.slice(0, INITIAL_COUNT)).map((device) => (
          <Device
            key={device.session_id}
            device={device}
            pending={pending === device.session_id}
            onEnd={() => void run(device.session_id, () => endOne(device))}
          />
        ))}
      </ul>
      {problem && (
        <div className="p-3">
          <Notice kind="bad" title={problem} live />
        </div>
      )}
      <div className="flex flex-wrap gap-2 px-5 py-4">
        {!showAll && devices.length > INITIAL_COUNT && (
          <Button
            onClick={() => {
              setShowAll(true);
              box.current?.focus({ preventScroll: true });
            }}
          >
            {t("show_all", { count: devices.length })}
          </Button>
        )}
        {devices.length > 1 && (
          <Button pending={pending === "others"} onClick={() => void run("others", endOthers)}>
            {t("end_others")}
          </Button>
        )}
        <Button pending={pending === "all"} onClick={() => void run("all", endAll)}>
          {t("end_all")}
        </Button>
      </div>
    </div>
  );
}

function Device({ device, pending, onEnd }: { device: SessionView; pending: boolean; onEnd: () => void }) {
  const t = useTranslations("accounts.devices");
  const locale = useLocale();
  const name = device.device === "unknown" || !device.device ? t("unknown") : device.device;
  const timeZone = useTimeZone();
  const seen = formatMoment(device.seen_at, locale, timeZone);
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 py-3 pr-3 pl-5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
          {name}
          {device.current && (
            <span className="rounded-full border border-control px-2 text-13 font-medium text-quiet">
              {t("current")}
            </span>
          )}
        </p>
        <p className="text-13 text-quiet">
          <Dated>{t("times", { since: formatDate(device.created_at, locale, timeZone), seen })}</Dated>
        </p>
      </div>
      {!device.current && (
        <Button
          look="quiet"
          pending={pending}
          aria-label={t("end_named", { device: name, seen })}
          onClick={onEnd}
        >
          {t("end")}
        </Button>
      )}
    </li>
  );
}
