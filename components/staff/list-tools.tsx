"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { downloadFile } from "@/components/console/download";
import type { FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ConsoleLink } from "@/components/console/link";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";
import { CATALOGUE_EXPORT_LISTS, INSIGHT_EXPORT_LISTS } from "@/lib/staff/exports/rules";
import type { ConsoleListName } from "@/lib/staff/rules";
import type { SavedView } from "@/lib/staff/views/contract";

type Props = {
  list: ConsoleListName;
  values: FilterValues;
  views: readonly SavedView[];
  /** The member may export this list. */
  exports?: boolean;
};

/** The filters of a list without its cursor. */
const filtersOf = (values: FilterValues) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value && name !== "cursor" ? [[name, value]] : [])),
  );
const sorted = (query: string) => [...new URLSearchParams(query)].sort().join("&");

/** The saved views of a list, saving its filters as one, and its export. */
export function ListTools({ list, values, views, exports = false }: Props) {
  const t = useTranslations("console.views");
  const [saving, setSaving] = useState(false);
  const query = filterQuery(values);
  const current = views.find(({ filters }) => sorted(filterQuery(filters)) === sorted(query));
  return (
    <div className="flex flex-wrap items-center gap-2">
      {views.length > 0 && (
        <nav aria-label={t("title")}>
          <ul className="flex flex-wrap gap-2">
            {views.map((view) => (
              <li key={view.view_id}>
                <ConsoleLink
                  href={`/console/${list}${filterQuery(view.filters)}`}
                  aria-current={view === current ? "page" : undefined}
                  className="inline-flex min-h-9 items-center rounded-control border border-control px-2.5 text-13 hover:border-ink aria-[current]:border-ink aria-[current]:font-medium"
                >
                  {view.name}
                </ConsoleLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {current && <DeleteView view={current} />}
      {query && !current && (
        <Button look="quiet" onClick={() => setSaving(true)}>
          {t("save")}
        </Button>
      )}
      {exports && <ExportButton list={list} values={values} />}
      <SaveView open={saving} list={list} values={values} onClose={() => setSaving(false)} />
    </div>
  );
}

function DeleteView({ view }: { view: SavedView }) {
  const t = useTranslations("console.views");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, run } = useCall(network);
  async function remove() {
    const result = await run((options) =>
      api.post<object>(`/admin/views/${view.view_id}/delete`, {}, options),
    );
    showToast(result.ok ? t("deleted") : result.message, result.ok ? "good" : "bad");
    if (result.ok) router.refresh();
  }
  return (
    <Button
      look="quiet"
      pending={pending}
      aria-label={t("delete_name", { name: view.name })}
      onClick={() => void remove()}
    >
      {t("delete")}
    </Button>
  );
}

function SaveView({
  open,
  list,
  values,
  onClose,
}: Omit<Props, "views"> & { open: boolean; onClose: () => void }) {
  const t = useTranslations("console.views");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    const result = await run((options) =>
      api.post("/admin/views", { list, name, filters: filtersOf(values) }, options),
    );
    if (!result.ok) return;
    onClose();
    showToast(t("saved"), "good");
    router.refresh();
  }
  return (
    <Dialog open={open} onClose={onClose} title={t("save")} closeLabel={t("close")}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        <TextInput
          name="name"
          label={t("name")}
          hint={t("name_hint")}
          required
          maxLength={60}
          autoComplete="off"
        />
        <ErrorNotice>{problem}</ErrorNotice>
        <Button type="submit" look="primary" pending={pending}>
          {t("save_now")}
        </Button>
      </form>
    </Dialog>
  );
}

const APPROVAL_REQUIRED = "40941";

const CATALOGUE_LISTS: readonly string[] = CATALOGUE_EXPORT_LISTS;
const INSIGHT_LISTS: readonly string[] = INSIGHT_EXPORT_LISTS;
function exportPath(list: string): string {
  if (CATALOGUE_LISTS.includes(list)) return "/admin/exports/catalogue";
  return INSIGHT_LISTS.includes(list) ? "/admin/exports/insight" : "/admin/exports";
}

/** Fetches the file, so that a refusal can be shown and the reauthentication asked for. */
async function fetchExport(path: string, body: object, networkMessage: string): Promise<ApiResult<Blob>> {
  const failed: ApiResult<Blob> = { ok: false, code: "", message: networkMessage, errors: [] };
  try {
    const response = await fetchCall(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, target_lang: document.documentElement.lang }),
    });
    if (response.ok) return { ok: true, data: await response.blob() };
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return failed;
  }
}

/** Downloads the whole list with its filters as CSV. */
export function ExportButton({ list, values }: { list: string; values: FilterValues }) {
  const t = useTranslations("console.views");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, run } = useCall(network);
  async function download() {
    const result = await run(({ networkMessage }) =>
      withReauthentication(() =>
        fetchExport(exportPath(list), { list, filters: filtersOf(values) }, networkMessage),
      ),
    );
    if (result.ok) downloadFile(result.data, `${list}.csv`);
    else if (result.message)
      showToast(result.code === APPROVAL_REQUIRED ? t("export_waits") : result.message, "bad");
  }
  return (
    <Button look="secondary" pending={pending} onClick={() => void download()}>
      <Icon name="table" size={18} />
      {t("export")}
    </Button>
  );
}
