"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { SecretNotice } from "@/components/console/secret-notice";
import { ShortTime } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { api } from "@/lib/platform/api/client";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";
import { EndpointForm } from "./endpoint-form";
import { EndpointState } from "./endpoint-state";

/** The webhook endpoints of a merchant. */
export function EndpointsScreen({
  endpoints,
  home,
  sandboxUrl,
  canManage,
}: {
  endpoints: WebhookEndpoint[];
  /** of the merchant's console */
  home: string;
  sandboxUrl: string | null;
  canManage: boolean;
}) {
  const t = useTranslations("console.merchant_webhooks");
  const { pending, problem, setProblem, act } = useAction();
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <ConsoleHeader
        title={t("title")}
        lead={
          <>
            {t("lead")}{" "}
            <ConsoleLink href={`${home}/developers#webhooks`} className="text-link">
              {t("how")}
            </ConsoleLink>
          </>
        }
      >
        {canManage && (
          <Button
            look="primary"
            onClick={() => {
              setProblem("");
              setCreates(true);
            }}
          >
            {t("create")}
          </Button>
        )}
      </ConsoleHeader>
      <SecretNotice title={t("secret_title")} secret={secret} onStored={() => setSecret(undefined)} />
      <RecordTable
        label={t("title")}
        rows={endpoints}
        rowId={({ endpoint_id }) => endpoint_id}
        empty={t("empty")}
        columns={[
          {
            name: t("name"),
            cell: ({ endpoint_id, name, url, sandbox }) => (
              <>
                <ConsoleLink href={`${home}/webhooks/${endpoint_id}`} className="text-link wrap-anywhere">
                  {name}
                </ConsoleLink>
                <span className="block text-13 text-quiet wrap-anywhere">{url}</span>
                {sandbox && <Pill>{t("sandbox")}</Pill>}
              </>
            ),
          },
          { name: t("status"), cell: (endpoint) => <EndpointState {...endpoint} /> },
          { name: t("events"), end: true, cell: ({ events }) => events.length },
          { name: t("waiting"), end: true, cell: ({ waiting }) => t("waiting_count", { count: waiting }) },
          {
            name: t("last_success"),
            cell: ({ last_success_at }) =>
              last_success_at ? <ShortTime at={last_success_at} /> : t("never"),
          },
        ]}
      />
      <EndpointForm
        open={creates}
        sandboxUrl={sandboxUrl}
        pending={pending}
        problem={problem}
        onClose={() => setCreates(false)}
        onSubmit={async (fields) => {
          const result = await act((options) => api.post("/merchant/webhooks", fields, options));
          if (!result.ok) return;
          setCreates(false);
          setSecret(result.data.secret);
        }}
      />
    </>
  );
}
