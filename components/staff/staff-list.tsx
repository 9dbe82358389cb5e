"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { downloadFile, fetchFile } from "@/components/console/download";
import { CsvButton } from "@/components/console/list/csv-button";
import { type FilterValues, filtersOf, sameFilters } from "@/components/console/list/filter-values";
import { type ListDeclaration, ListScreen } from "@/components/console/list/list-screen";
import { TOOL } from "@/components/console/list/list-toolbar";
import { screensFor } from "@/components/staff/screens";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { useTimeZone } from "@/components/ui/local-time";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { ListPage } from "@/lib/platform/console/list";
import { CATALOGUE_EXPORT_LISTS, EXPORT_LISTS, INSIGHT_EXPORT_LISTS } from "@/lib/staff/exports/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";
import type { ConsoleListName } from "@/lib/staff/rules";
import type { SavedView } from "@/lib/staff/views/contract";

const PERSONS: readonly string[] = EXPORT_LISTS;
const CATALOGUE: readonly string[] = CATALOGUE_EXPORT_LISTS;
const INSIGHT: readonly string[] = INSIGHT_EXPORT_LISTS;
const mayExport = (list: string, roles: readonly string[]) =>
  PERSONS.includes(list) ? mayStaff(roles, "exports.persons") : CATALOGUE.includes(list);

/** Screens by the letter after `g`. */
const GO_TO: Readonly<Record<string, string>> = {
  i: "/console",
  o: "/console/orders",
  r: "/console/refunds",
  c: "/console/customers",
  p: "/console/products",
  m: "/console/mails",
};

/** A list of staff: with the saved views as tabs, the export, and the keys to other screens. */
export function StaffList<Row extends object>({
  roles,
  name,
  views: saved,
  declared,
  ...data
}: Omit<StaffListData<ListPage<Row>>, "views"> & {
  views: readonly SavedView[];
  declared: ListDeclaration<Row>;
}) {
  const { path, values } = data;
  const filters = filtersOf(values);
  const current = saved.find((view) => sameFilters(view.filters, values));
  const hasDefault = saved.some((view) => view.is_default);
  const builtIn = (declared.views ?? []).map((view) =>
    hasDefault && Object.keys(view.filters).length === 0 ? { ...view, filters: { view: "all" } } : view,
  );
  const paths = screensFor(roles).map((screen) => screen.path);
  return (
    <ListScreen
      {...data}
      {...declared}
      path={path}
      views={builtIn}
      saved={saved.map((view) => ({ id: view.view_id, label: view.name, filters: view.filters }))}
      viewTools={
        name &&
        (current?.own ? (
          <DeleteView view={current} />
        ) : (
          Object.keys(filters).length > 0 && !current && <SaveView list={name} filters={filters} />
        ))
      }
      exportButton={name && mayExport(name, roles) && <ExportButton list={name} values={values} />}
      goTo={Object.fromEntries(Object.entries(GO_TO).filter(([, page]) => paths.includes(page)))}
    />
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
    <button
      type="button"
      aria-disabled={pending || undefined}
      aria-label={t("delete_name", { name: view.name })}
      title={t("delete_name", { name: view.name })}
      onClick={() => void (pending || remove())}
      className={TOOL}
    >
      <Icon name="trash" size={16} />
    </button>
  );
}

function SaveView({ list, filters }: { list: ConsoleListName; filters: Record<string, string> }) {
  const t = useTranslations("console.views");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const { pending, problem, run } = useCall(network);
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body = {
      list,
      name: String(fields.get("name") ?? "").trim(),
      filters,
      shared: fields.has("shared"),
      is_default: fields.has("is_default"),
    };
    const result = await run((options) => api.post("/admin/views", body, options));
    if (!result.ok) return;
    setOpen(false);
    showToast(t("saved"), "good");
    router.refresh();
  }
  return (
    <>
      <button type="button" className={TOOL} onClick={() => setOpen(true)}>
        <Icon name="plus" size={16} />
        {t("save")}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("save_title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
          <TextInput
            name="name"
            label={t("name")}
            hint={t("name_hint")}
            required
            maxLength={60}
            autoComplete="off"
          />
          <Checkbox name="is_default" label={t("is_default")} />
          <Checkbox name="shared" label={t("shared")} hint={t("shared_hint")} />
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending}>
            {t("save_now")}
          </Button>
        </form>
      </Dialog>
    </>
  );
}

const APPROVAL_REQUIRED = "40941";

function exportPath(list: string): string {
  if (CATALOGUE.includes(list)) return "/admin/exports/catalogue";
  return INSIGHT.includes(list) ? "/admin/exports/insight" : "/admin/exports";
}

/** Downloads the whole list with its filters as CSV. */
export function ExportButton({ list, values }: { list: string; values: FilterValues }) {
  const t = useTranslations("console.views");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, run } = useCall(network);
  const timeZone = useTimeZone();
  async function download() {
    const result = await run(({ networkMessage }) =>
      withReauthentication(() =>
        fetchFile(
          exportPath(list),
          { list, filters: filtersOf(values), time_zone: timeZone },
          networkMessage,
        ),
      ),
    );
    if (result.ok) downloadFile(result.data, `${list}.csv`);
    else if (result.message)
      showToast(result.code === APPROVAL_REQUIRED ? t("export_waits") : result.message, "bad");
  }
  return <CsvButton label={t("export")} pending={pending} onDownload={() => void download()} />;
}
