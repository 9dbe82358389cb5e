"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  HeldCodes,
  ImportExample,
  ImportFileForm,
  ImportReport,
  RefusedLinesButton,
} from "@/components/console/import-parts";
import { ConsoleLink } from "@/components/console/link";
import { PriceEffects } from "@/components/console/price-effects";
import { Button, ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useCall } from "@/components/ui/use-call";
import { KEY_FILE_NAMES } from "@/lib/merchants/key-files/rules";
import { api } from "@/lib/platform/api/client";
import type { ImportPreview, ImportRun } from "@/lib/staff/imports/contract";
import { IMPORT_TYPES, type ImportKind, PICTURE_TYPES } from "@/lib/staff/imports/rules";
import { IMPORT_EXAMPLES } from "@/lib/staff/imports/rules-examples";
import { ImportNumbers } from "./import-report";
import { ImportProgress } from "./import-run";

const APPROVAL_REQUIRED = "40941";
const EXTENSIONS: Record<ImportKind, string> = {
  keys: KEY_FILE_NAMES,
  catalog: ".jsonl",
  coupons: ".jsonl",
  prices: ".csv",
};

type Chosen = {
  kind: ImportKind;
  file: File;
  pictures: readonly File[];
  takeOver: boolean;
  confirmed: number;
};

/** An import from the choice of the file to its result. The browser keeps the file, the server never does. */
export function ImportFlow({ kinds, first }: { kinds: readonly ImportKind[]; first: ImportKind }) {
  const t = useTranslations("console.imports");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const [chosen, setChosen] = useState<Chosen>();
  const [sending, setSending] = useState("");
  const [preview, setPreview] = useState<ImportPreview>();
  const [waits, setWaits] = useState(false);
  const [importId, setImportId] = useState<string>();

  function restart() {
    setChosen(undefined);
    setPreview(undefined);
    setWaits(false);
    setImportId(undefined);
    setProblem("");
  }

  /** Sends the pictures that the file names. False with a problem shown. */
  async function sendPictures({ file, pictures }: Chosen): Promise<boolean> {
    if (pictures.length === 0) return true;
    const text = await file.text();
    const named = pictures.filter(({ name }) => text.includes(name));
    for (const [index, picture] of named.entries()) {
      setSending(t("sending_picture", { number: index + 1, total: named.length }));
      if (!(PICTURE_TYPES as readonly string[]).includes(picture.type)) {
        setProblem(t("picture_type", { name: picture.name }));
        return false;
      }
      const content = { content: picture, type: picture.type };
      const result = await run((options) =>
        withReauthentication(() =>
          api.file("/admin/imports/pictures", content, { name: picture.name }, options),
        ),
      );
      if (!result.ok) {
        setProblem(`${picture.name}: ${result.message}`);
        return false;
      }
    }
    return true;
  }

  async function sendPreview(next: Chosen) {
    setChosen(next);
    setPreview(undefined);
    setWaits(false);
    const sent = await sendPictures(next);
    if (sent) {
      setSending(t("previewing"));
      const { kind, file, takeOver, confirmed } = next;
      const content = { content: file, type: IMPORT_TYPES[kind] };
      const result = await run((options) =>
        withReauthentication(() =>
          kind === "catalog"
            ? api.file(`/admin/imports/${kind}/preview`, content, { take_over: takeOver }, options)
            : kind === "prices"
              ? api.file(`/admin/imports/${kind}/preview`, content, {}, options)
              : api.file(`/admin/imports/${kind}/preview`, content, { confirm_held: confirmed > 0 }, options),
        ),
      );
      if (result.ok) setPreview(result.data);
    }
    setSending("");
  }

  async function startImport({ kind, file, takeOver, confirmed }: Chosen, { sha256 }: ImportPreview) {
    const content = { content: file, type: IMPORT_TYPES[kind] };
    const query = { sha256, name: file.name.slice(-200) };
    const result = await run((options) =>
      withReauthentication(() =>
        kind === "catalog"
          ? api.file(`/admin/imports/${kind}/run`, content, { ...query, take_over: takeOver }, options)
          : kind === "prices"
            ? api.file(`/admin/imports/${kind}/run`, content, query, options)
            : api.file(
                `/admin/imports/${kind}/run`,
                content,
                { ...query, confirm_held: confirmed > 0 },
                options,
              ),
      ),
    );
    if (result.ok) {
      setImportId(result.data.import_id);
      router.refresh();
      return;
    }
    if (result.code !== APPROVAL_REQUIRED) return;
    setProblem("");
    setWaits(true);
  }

  const writes = preview ? preview.counts.added + preview.counts.changed : 0;
  if (importId && chosen)
    return (
      <div className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4">
        <ErrorNotice>{problem}</ErrorNotice>
        <ImportProgress
          key={importId}
          id={importId}
          tools={({ report }: ImportRun) => (
            <>
              <RefusedLinesButton
                file={chosen.file}
                hasHeader={IMPORT_TYPES[chosen.kind] === "text/csv"}
                report={report}
              />
              <Button look="primary" onClick={restart}>
                {t("another")}
              </Button>
            </>
          )}
          onSendAgain={() => preview && void startImport(chosen, preview)}
        />
      </div>
    );
  return (
    <div className="flex flex-col gap-6">
      <ChooseFile
        kinds={kinds}
        first={first}
        pending={sending !== ""}
        isChecked={preview !== undefined}
        onChoose={(next) => void sendPreview(next)}
        onChange={restart}
      />
      <p role="status" className={sending ? "text-quiet" : "sr-only"}>
        {sending}
      </p>
      <ErrorNotice>{problem}</ErrorNotice>
      {preview && chosen && (
        <section
          aria-label={t("preview")}
          className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4"
        >
          <div>
            <h2 className="text-17 font-semibold wrap-anywhere">
              {t("preview_of", { name: chosen.file.name })}
            </h2>
            <p className="pt-1 text-quiet">{t(preview.lines === 0 ? "preview_empty" : "preview_lead")}</p>
          </div>
          <ImportNumbers counts={preview.counts} kind={chosen.kind} />
          <HeldCodes
            count={chosen.confirmed || preview.held}
            isConfirmed={chosen.confirmed > 0}
            onConfirm={(isRight) => void sendPreview({ ...chosen, confirmed: isRight ? preview.held : 0 })}
          />
          {waits || preview.needs_approval ? (
            <Notice kind={waits ? "warn" : "info"} live title={t(waits ? "waits" : "needs_approval")}>
              {waits && (
                <ConsoleLink href="/console/approvals" className="text-link">
                  {t("to_approvals")}
                </ConsoleLink>
              )}
            </Notice>
          ) : null}
          <div className="flex flex-wrap gap-3">
            <Button
              look={writes > 0 ? "primary" : "secondary"}
              pending={pending}
              onClick={() => void startImport(chosen, preview)}
            >
              {preview.needs_approval && !waits ? t("ask") : t("import_now", { count: writes })}
            </Button>
            <RefusedLinesButton
              file={chosen.file}
              hasHeader={IMPORT_TYPES[chosen.kind] === "text/csv"}
              report={preview.report}
            />
          </div>
          <PriceEffects effects={preview.effects} count={preview.counts.changed} />
          <ImportReport report={preview.report} refused={preview.counts.refused} messageLang="en" />
        </section>
      )}
    </div>
  );
}

/** The kind, the file and, for a catalogue, its pictures. */
function ChooseFile({
  kinds,
  first,
  pending,
  isChecked,
  onChoose,
  onChange,
}: {
  kinds: readonly ImportKind[];
  first: ImportKind;
  pending: boolean;
  isChecked: boolean;
  onChoose: (chosen: Chosen) => void;
  onChange: () => void;
}) {
  const t = useTranslations("console.imports");
  const [kind, setKind] = useState(first);
  const [pictures, setPictures] = useState<readonly File[]>([]);
  return (
    <ImportFileForm
      accept={EXTENSIONS[kind]}
      hint={t(`hints.${kind}`)}
      pending={pending}
      isChecked={isChecked}
      onChange={onChange}
      onChoose={(file, form) => {
        const takeOver = form.has("take_over");
        onChoose({ kind, file, pictures: kind === "catalog" ? pictures : [], takeOver, confirmed: 0 });
      }}
      above={
        <fieldset className="flex flex-col gap-1">
          <legend className="pb-1 font-medium">{t("kind")}</legend>
          <div className="flex flex-wrap gap-x-6">
            {kinds.map((one) => (
              <Checkbox
                key={one}
                type="radio"
                name="kind"
                value={one}
                label={t(`kinds.${one}`)}
                checked={kind === one}
                onChange={() => {
                  setKind(one);
                  onChange();
                }}
              />
            ))}
          </div>
        </fieldset>
      }
    >
      <ImportExample lines={IMPORT_EXAMPLES[kind]}>{t(`columns.${kind}`)}</ImportExample>
      {kind === "prices" && (
        <ButtonLink href="/api/v1/admin/products/prices.csv" className="self-start">
          {t("download_prices")}
        </ButtonLink>
      )}
      {kind === "catalog" && (
        <>
          <Field label={t("pictures")} hint={t("pictures_hint")}>
            {(control) => (
              <input
                {...control}
                type="file"
                multiple
                accept={PICTURE_TYPES.join(",")}
                className="control h-auto py-2"
                onChange={(event) => {
                  setPictures([...(event.target.files ?? [])]);
                  onChange();
                }}
              />
            )}
          </Field>
          <Checkbox name="take_over" label={t("take_over")} hint={t("take_over_hint")} onChange={onChange} />
        </>
      )}
    </ImportFileForm>
  );
}
