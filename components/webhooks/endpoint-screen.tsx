"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { SecretNotice } from "@/components/console/secret-notice";
import { ShortTime } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import type { AttemptList, WebhookEndpoint } from "@/lib/webhooks/contract";
import { AttemptLog } from "./attempt-log";
import { EndpointForm } from "./endpoint-form";
import { EndpointState } from "./endpoint-state";
import { waitForMessage } from "./wait-for-message";

type Props = {
  endpoint: WebhookEndpoint;
  list: AttemptList;
  values: Readonly<Record<string, string | undefined>>;
  /** of the merchant's console */
  home: string;
  sandboxUrl: string | null;
  canManage: boolean;
  canSend: boolean;
};
type EndpointAction = "disable" | "rotate" | "remove";

/** An endpoint with its log of messages. */
export function EndpointScreen({ endpoint, list, values, home, sandboxUrl, canManage, canSend }: Props) {
  const t = useTranslations("console.merchant_webhooks");
  const address = useConsoleAddress();
  const router = useRouter();
  const { pending, problem, setProblem, act } = useAction();
  const [edits, setEdits] = useState(false);
  const [dialog, setDialog] = useState<EndpointAction>();
  const [secret, setSecret] = useState<string>();
  const { endpoint_id: id, name, url, events, state, disabled_reason, disabled_at } = endpoint;
  const path = `/merchant/webhooks/${id}` as const;
  const openDialog = (action: EndpointAction) => {
    setProblem("");
    setDialog(action);
  };

  async function test() {
    const result = await act((options) => api.post(`${path}/test`, {}, options));
    if (!result.ok) return showToast(result.message, "bad");
    showToast(t("test_sent"));
    const message = await waitForMessage(id, result.data.message_id);
    const status = message?.attempts.at(-1)?.status;
    if (!message) showToast(t("test_waits"));
    else if (message.state === "delivered") showToast(t("test_ok", { status: String(status) }), "good");
    else showToast(t("test_failed"), "bad");
    router.refresh();
  }
  const save = (next: "enabled" | "disabled", done: string) =>
    act((options) => api.post(path, { name, url, events, state: next }, options), done);
  const EFFECTS: Record<EndpointAction, string[]> = {
    disable: [t("effect_not_recorded"), t("effect_waiting_stays")],
    rotate: [t("effect_both"), t("effect_older")],
    remove: [t("effect_nothing_sent"), t("effect_log_gone")],
  };
  async function confirm(action: EndpointAction) {
    if (action === "disable") {
      if ((await save("disabled", t("disabled_done"))).ok) setDialog(undefined);
    } else if (action === "rotate") {
      const result = await act((options) => api.post(`${path}/rotate`, {}, options));
      if (!result.ok) return;
      setDialog(undefined);
      setSecret(result.data.secret);
    } else {
      const result = await act((options) => api.post(`${path}/remove`, {}, options), t("removed_done"));
      if (result.ok) window.location.assign(address(`${home}/webhooks`));
    }
  }
  return (
    <>
      <p className="pb-2">
        <ConsoleLink href={`${home}/webhooks`} className="text-link">
          {t("back")}
        </ConsoleLink>
      </p>
      <ConsoleHeader title={name} lead={<span className="wrap-anywhere">{url}</span>}>
        <div className="flex flex-wrap gap-2">
          {canManage && <Button onClick={() => openDialog("remove")}>{t("remove")}</Button>}
          {canManage && <Button onClick={() => openDialog("rotate")}>{t("rotate")}</Button>}
          {canManage && (
            <Button
              onClick={() => {
                setProblem("");
                setEdits(true);
              }}
            >
              {t("edit")}
            </Button>
          )}
          {canManage && state === "enabled" && (
            <Button onClick={() => openDialog("disable")}>{t("disable")}</Button>
          )}
          {canManage && state === "disabled" && (
            <Button look="primary" pending={pending} onClick={() => void save("enabled", t("enabled_done"))}>
              {t("enable")}
            </Button>
          )}
          {canSend && state === "enabled" && (
            <Button look="primary" pending={pending && !dialog && !edits} onClick={() => void test()}>
              {t("test")}
            </Button>
          )}
        </div>
      </ConsoleHeader>
      <SecretNotice title={t("secret_title")} secret={secret} onStored={() => setSecret(undefined)} />
      {disabled_reason && disabled_reason !== "merchant" && (
        <Notice kind="bad" title={t(`disabled_by.${disabled_reason}`)} className="mb-6">
          {t("effect_not_recorded")} {t("effect_waiting_stays")}
        </Notice>
      )}
      <div className="pb-6">
        <Facts
          rows={[
            [t("status"), <EndpointState key="state" {...endpoint} />],
            disabled_at !== null &&
              disabled_reason !== null && [
                t(`disabled_by.${disabled_reason}`),
                <ShortTime key="off" at={disabled_at} />,
              ],
            endpoint.failing_since !== null &&
              state === "enabled" && [
                t("failing_since"),
                <ShortTime key="since" at={endpoint.failing_since} />,
              ],
            [t("waiting"), t("waiting_count", { count: endpoint.waiting })],
            [
              t("last_success"),
              endpoint.last_success_at ? <ShortTime key="last" at={endpoint.last_success_at} /> : t("never"),
            ],
            endpoint.old_secret_until !== null && [
              t("old_until"),
              <ShortTime key="old" at={endpoint.old_secret_until} />,
            ],
            endpoint.sandbox && [t("url"), <Pill key="sandbox">{t("sandbox")}</Pill>],
          ]}
        />
        <p className="pt-3 text-13 text-quiet">{t("events")}</p>
        <p className="font-mono text-13 wrap-anywhere">{events.join(", ")}</p>
      </div>
      <RecordSection title={t("log")}>
        <p className="pb-3 text-quiet">{t("log_lead")}</p>
        <AttemptLog
          list={list}
          values={values}
          path={`${home}/webhooks/${id}`}
          pending={pending}
          canSend={canSend && state === "enabled"}
          onRedeliver={(message_id) =>
            void act((options) => api.post(`${path}/redeliver`, { message_id }, options), t("redelivered"))
          }
        />
      </RecordSection>
      <EndpointForm
        open={edits}
        endpoint={endpoint}
        sandboxUrl={sandboxUrl}
        pending={pending}
        problem={problem}
        onClose={() => setEdits(false)}
        onSubmit={async (fields) => {
          const result = await act(
            (options) => api.post(path, { ...fields, state }, options),
            t("saved_done"),
          );
          if (result.ok) setEdits(false);
        }}
      />
      <EffectsDialog
        open={dialog !== undefined}
        title={dialog ? t(`${dialog}_of`, { name }) : ""}
        effects={dialog ? EFFECTS[dialog] : []}
        confirm={dialog ? t(dialog) : ""}
        danger={dialog !== "rotate"}
        pending={pending}
        problem={problem}
        onConfirm={() => dialog && void confirm(dialog)}
        onClose={() => setDialog(undefined)}
      />
    </>
  );
}
