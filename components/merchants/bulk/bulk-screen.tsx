"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { ImportFileForm, RefusedLinesButton } from "@/components/console/import-parts";
import { ConsoleLink } from "@/components/console/link";
import { NumberInput } from "@/components/console/number-input";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { readTime, TimeInput } from "@/components/console/time-input";
import { FileButton } from "@/components/merchants/portal/file-button";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { BulkPreview, PlanList } from "@/lib/merchants/bulk/contract";
import { BULK_PLANS } from "@/lib/merchants/bulk/rules";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";
import { BulkCheck, BulkDone } from "./bulk-parts";
import { useParts } from "./use-parts";

type Plan = PlanList["items"][number];

/** Bulk work on passes: prices by file, one deal for all, pausing and restocking. */
export function BulkScreen({
  handle,
  plans,
  canWrite,
}: {
  handle: string;
  plans: Plan[];
  canWrite: boolean;
}) {
  const t = useTranslations("console.bulk");
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      <div className="max-w-4xl">
        <RecordSection title={t("prices")}>
          <p className="max-w-text pb-3 text-quiet">{t("prices_lead")}</p>
          <FileButton handle={handle} call="/merchant/prices.csv" file="prices.csv" />
          {canWrite && <Prices />}
        </RecordSection>
        {canWrite && (
          <>
            <RecordSection title={t("deal")}>
              <p className="max-w-text pb-3 text-quiet">{t("deal_lead")}</p>
              <Deal />
            </RecordSection>
            <RecordSection title={t("pause")}>
              <p className="max-w-text pb-3 text-quiet">{t("pause_lead")}</p>
              <Pause plans={plans} />
            </RecordSection>
          </>
        )}
        <RecordSection title={t("restock")}>
          <p className="max-w-text pb-3 text-quiet">{t("restock_lead")}</p>
          <div className="flex flex-wrap items-center gap-3">
            <FileButton handle={handle} call="/merchant/keys/restock.csv" file="restock.csv" />
            <ConsoleLink href={`/merchant/${handle}/keys/import`} className="text-link">
              {t("restock_send")}
            </ConsoleLink>
          </div>
        </RecordSection>
      </div>
    </>
  );
}

const TYPE = "text/csv";

function Prices() {
  const t = useTranslations("console.bulk");
  const { pending, problem, setProblem, preview, apply, applied, isApplying } = useParts();
  const [file, setFile] = useState<File>();
  const [check, setCheck] = useState<BulkPreview>();
  const restart = () => {
    setCheck(undefined);
    setProblem("");
  };
  async function send(chosen: File) {
    setFile(chosen);
    setCheck(undefined);
    const content = { content: chosen, type: TYPE };
    const found = await preview((options) => api.file("/merchant/prices/preview", content, {}, options));
    if (found) setCheck(found);
  }
  return (
    <div className="flex flex-col gap-5 pt-5">
      <ImportFileForm
        accept=".csv"
        hint={t("prices_hint")}
        pending={pending && !isApplying}
        isChecked={check !== undefined}
        onChoose={(chosen) => void send(chosen)}
        onChange={restart}
      />
      <ErrorNotice>{problem}</ErrorNotice>
      {check && file && !applied && (
        <BulkCheck
          preview={check}
          pending={isApplying}
          onApply={() =>
            void apply((after) => (options) => {
              const content = { content: file, type: TYPE };
              return api.file(
                "/merchant/prices/apply",
                content,
                { sha256: check.sha256 ?? "", after },
                options,
              );
            })
          }
          tools={<RefusedLinesButton file={file} hasHeader report={check.refused} />}
        />
      )}
      {applied && <BulkDone applied={applied} running={isApplying} />}
    </div>
  );
}

type DealFields = { percent: number; ends_at: string; quantity: number };

function Deal() {
  const t = useTranslations("console.bulk");
  const { pending, problem, setProblem, preview, apply, applied, isApplying } = useParts();
  const [check, setCheck] = useState<BulkPreview>();
  const [deal, setDeal] = useState<DealFields>();
  // A field in the browser's time zone, which the server must not render.
  const [isClient, setIsClient] = useState(false);
  useEffect(() => setIsClient(true), []);
  const until = nextSunday();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const ends_at = readTime(fields, "ends_at");
    if (!ends_at) return setProblem(t("end_missing"));
    const numberOf = (name: string) => parseTypedAmount(String(fields.get(name) ?? ""));
    const chosen = { percent: numberOf("percent"), ends_at, quantity: numberOf("quantity") };
    setDeal(chosen);
    setCheck(undefined);
    const found = await preview((options) =>
      api.post("/merchant/deals", { ...chosen, preview: true }, options),
    );
    if (found?.preview) setCheck(found.preview);
  };
  const change = () => {
    setCheck(undefined);
    setProblem("");
  };
  return (
    <div className="flex flex-col gap-5">
      <form onSubmit={(event) => void send(event)} onChange={change} className="flex flex-col gap-4">
        <div className="grid gap-4 min-[600px]:grid-cols-3">
          <NumberInput name="percent" label={t("percent")} defaultValue="10" required />
          {isClient && <TimeInput name="ends_at" label={t("until")} at={until} required />}
          <NumberInput name="quantity" label={t("quantity")} defaultValue="1000" required />
        </div>
        <Button
          type="submit"
          look={check ? "secondary" : "primary"}
          pending={pending && !isApplying}
          className="self-start"
        >
          {t("see_effect")}
        </Button>
      </form>
      <ErrorNotice>{problem}</ErrorNotice>
      {check && deal && !applied && (
        <BulkCheck
          preview={check}
          pending={isApplying}
          onApply={() =>
            void apply((after) => async (options) => {
              const result = await api.post("/merchant/deals", { ...deal, preview: false, after }, options);
              return result.ok ? { ...result, data: result.data.applied! } : result;
            })
          }
        />
      )}
      {applied && <BulkDone applied={applied} running={isApplying} />}
    </div>
  );
}

/** The end of the coming Sunday in the browser's zone; on a Sunday that of the next week. */
function nextSunday(): string {
  const day = new Date();
  day.setDate(day.getDate() + (7 - day.getDay()));
  day.setHours(23, 59, 0, 0);
  return day.toISOString();
}

function Pause({ plans }: { plans: Plan[] }) {
  const t = useTranslations("console.bulk");
  const { locale } = useSurface();
  const { pending, problem, act } = useAction();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [refused, setRefused] = useState<{ vip_id: number; message: string }[]>([]);
  const toggle = (id: number, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));
  async function send(paused: boolean) {
    const [vip_ids, later] = [[...chosen].slice(0, BULK_PLANS), [...chosen].slice(BULK_PLANS)];
    const result = await act((options) => api.post("/merchant/plans/pause", { vip_ids, paused }, options));
    if (!result.ok) return;
    setRefused(result.data.refused);
    setChosen(new Set([...result.data.refused.map(({ vip_id }) => vip_id), ...later]));
  }
  const nameOf = (id: number) => {
    const plan = plans.find(({ vip_id }) => vip_id === id);
    return plan ? `${plan.product} · ${plan.plan}` : String(id);
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="quiet"
          onClick={() => setChosen(new Set(plans.slice(0, BULK_PLANS).map(({ vip_id }) => vip_id)))}
        >
          {t("choose_all")}
        </Button>
        <Button look="quiet" onClick={() => setChosen(new Set())}>
          {t("choose_none")}
        </Button>
        <span role="status" className="text-quiet">
          {t("chosen", { count: chosen.size })}
        </span>
      </div>
      <div className="max-h-96 overflow-y-auto rounded-control border border-hairline p-3">
        <RecordTable
          label={t("pause")}
          rows={plans}
          rowId={({ vip_id }) => String(vip_id)}
          empty={t("no_plans")}
          columns={[
            {
              name: t("pass"),
              cell: ({ vip_id, product, plan }) => (
                <Checkbox
                  checked={chosen.has(vip_id)}
                  onChange={(event) => toggle(vip_id, event.target.checked)}
                  label={
                    <>
                      {product} <code className="font-mono text-13 text-quiet">{plan}</code>
                    </>
                  }
                />
              ),
            },
            { name: t("price"), end: true, cell: ({ price }) => formatPrice(toCents(price), locale) },
            {
              name: t("state"),
              cell: ({ paused }) => (
                <Pill tone={paused ? "warn" : "good"}>{t(paused ? "is_paused" : "on_sale")}</Pill>
              ),
            },
          ]}
        />
      </div>
      <ErrorNotice>{problem}</ErrorNotice>
      {refused.length > 0 && (
        <Notice kind="warn" live title={t("refused")}>
          <ul>
            {refused.map(({ vip_id, message }) => (
              <li key={vip_id}>
                {nameOf(vip_id)}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" pending={pending} disabled={chosen.size === 0} onClick={() => void send(true)}>
          {t("pause_now")}
        </Button>
        <Button pending={pending} disabled={chosen.size === 0} onClick={() => void send(false)}>
          {t("resume_now")}
        </Button>
      </div>
    </div>
  );
}
