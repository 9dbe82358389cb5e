"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordSection } from "@/components/console/record";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { useUnsavedWarning } from "@/components/console/use-unsaved-warning";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ByLocale } from "@/lib/catalog/console/rules-draft";
import {
  type CategoryDraft,
  fromCategoryDraft,
  fromSynonymsDraft,
  newCategoryDraft,
  type SynonymsDraft,
  toCategoryDraft,
  toSynonymsDraft,
} from "@/lib/catalog/console/rules-line-drafts";
import type { CategoryRecord, SynonymsRecord } from "@/lib/catalog/import/contract";
import { api } from "@/lib/platform/api/client";
import type { FieldIssue } from "@/lib/platform/errors";
import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";

type Written<Line> = { slug: string; revision: number; line: Line };
export type EditedCategory = Written<CategoryRecord> & { products: number };
export type EditedSynonyms = Written<SynonymsRecord>;
type Props = { categories: readonly EditedCategory[]; synonyms: readonly EditedSynonyms[] };

/** Categories in the order of the shop, and groups of synonyms; each is edited in its place. */
export function CategoriesScreen({ categories, synonyms }: Props) {
  const t = useTranslations("console.categories");
  const [adds, setAdds] = useState<"category" | "synonyms">();
  const [word, setWord] = useState("");
  const wanted = word.trim().toLowerCase();
  const found = synonyms.filter(({ line }) =>
    Object.values(line.terms)
      .flat()
      .some((term) => term.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Button onClick={() => setAdds(adds === "category" ? undefined : "category")}>{t("add")}</Button>
      </ConsoleHeader>
      {adds === "category" && (
        <div className="mb-4 rounded-control border border-hairline bg-raised p-4">
          <CategoryForm category={null} onDone={() => setAdds(undefined)} />
        </div>
      )}
      <ul className="flex flex-col gap-2">
        {categories.map((category) => (
          <li key={`${category.slug} ${category.revision}`}>
            <Fold
              title={LOCALES.flatMap((locale) => category.line.names[locale] ?? []).join(" · ")}
              aside={t("products", { count: category.products })}
              hue={category.line.hue}
            >
              <CategoryForm category={category} />
            </Fold>
          </li>
        ))}
      </ul>
      <div className="pt-8">
        <RecordSection title={t("synonyms")}>
          <p className="pb-3 text-quiet">{t("synonyms_lead")}</p>
          <div className="flex flex-wrap items-end gap-3 pb-4">
            <TextInput
              label={t("filter")}
              value={word}
              autoComplete="off"
              onChange={(event) => setWord(event.target.value)}
              className="w-64"
            />
            <Button onClick={() => setAdds(adds === "synonyms" ? undefined : "synonyms")}>
              {t("add_synonyms")}
            </Button>
          </div>
          {adds === "synonyms" && (
            <div className="mb-4 rounded-control border border-hairline bg-raised p-4">
              <SynonymsForm group={null} onDone={() => setAdds(undefined)} />
            </div>
          )}
          <ul className="flex flex-col gap-2">
            {found.map((group) => (
              <li key={`${group.slug} ${group.revision}`}>
                <Fold title={Object.values(group.line.terms).flat().join(", ")}>
                  <SynonymsForm group={group} />
                </Fold>
              </li>
            ))}
          </ul>
        </RecordSection>
      </div>
    </>
  );
}

/** A form that is rendered when it is opened: the screen has more than a hundred of them. */
function Fold({
  title,
  aside,
  hue,
  children,
}: {
  title: string;
  aside?: string;
  hue?: number;
  children: ReactNode;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <details
      className="rounded-control border border-hairline bg-raised px-4"
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary className="flex min-h-12 cursor-pointer items-center gap-3 py-2">
        {hue !== undefined && (
          <span
            aria-hidden="true"
            className="size-4 flex-none rounded-full"
            style={{ background: `hsl(${hue} 60% 50%)` }}
          />
        )}
        <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
        {aside && <span className="flex-none text-13 text-quiet">{aside}</span>}
      </summary>
      {opened && <div className="pb-4">{children}</div>}
    </details>
  );
}

type Saved = { saved: boolean };

/** Saves a line and shows the result. Typed values are kept until the page is reloaded. */
function useLineCall(path: "categories" | "synonyms", revision: number, onDone: (() => void) | undefined) {
  const t = useTranslations("console.categories");
  const router = useRouter();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const [conflicts, setConflicts] = useState(false);
  async function save(slug: string, line: object): Promise<void> {
    setIssues([]);
    const result = await run((options) =>
      api.post<Saved>(
        `/admin/${path}/${encodeURIComponent(slug || "-")}`,
        { base_revision: revision, line },
        options,
      ),
    );
    setConflicts(!result.ok && result.code === REVISION_CONFLICT);
    if (!result.ok) return setIssues(result.errors);
    showToast(t(result.data.saved ? "saved" : "unchanged"), "good");
    onDone?.();
    router.refresh();
  }
  const problemAt = (field: string) => issues.find(({ path: own }) => own === `line.${field}`)?.message;
  const notice = conflicts ? (
    <Notice kind="warn" live action={<Button onClick={() => location.reload()}>{t("reload")}</Button>}>
      {t("conflict")}
    </Notice>
  ) : (
    <ErrorNotice>{issues.length === 0 ? problem : ""}</ErrorNotice>
  );
  return { pending, problemAt, notice, save };
}

function CategoryForm({ category, onDone }: { category: EditedCategory | null; onDone?: () => void }) {
  const t = useTranslations("console.categories");
  const editor = useTranslations("console.editor");
  const [start] = useState(() => (category ? toCategoryDraft(category.line) : newCategoryDraft()));
  const [draft, setDraft] = useState(start);
  const { pending, problemAt, notice, save } = useLineCall("categories", category?.revision ?? 0, onDone);
  useUnsavedWarning(JSON.stringify(draft) !== JSON.stringify(start), editor("leave"));
  const change = (fields: Partial<CategoryDraft>) => setDraft((current) => ({ ...current, ...fields }));
  const text = (name: "slug" | "sort_num" | "hue") => ({
    label: t(name),
    value: draft[name],
    error: problemAt(name),
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft.slug.trim(), fromCategoryDraft(draft));
      }}
    >
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-3">
        {!category && <TextInput {...text("slug")} autoCapitalize="none" spellCheck={false} />}
        <TextInput {...text("sort_num")} inputMode="numeric" />
        <TextInput {...text("hue")} inputMode="numeric" />
      </div>
      <LocaleFields
        value={draft.names}
        label={editor("field.names")}
        problemAt={(locale) => problemAt(`names.${locale}`)}
        onChange={(names) => change({ names })}
      />
      <LocaleFields
        value={draft.texts}
        label={editor("field.texts")}
        rows={3}
        problemAt={(locale) => problemAt(`texts.${locale}`)}
        onChange={(texts) => change({ texts })}
      />
      <LocaleFields
        value={draft.search_terms}
        label={editor("field.search_terms")}
        hint={editor("hint.lines")}
        rows={4}
        problemAt={(locale) => problemAt(`search_terms.${locale}`)}
        onChange={(search_terms) => change({ search_terms })}
      />
      {notice}
      <Button type="submit" look="primary" pending={pending} className="self-end">
        {t("save")}
      </Button>
    </form>
  );
}

function SynonymsForm({ group, onDone }: { group: EditedSynonyms | null; onDone?: () => void }) {
  const t = useTranslations("console.categories");
  const editor = useTranslations("console.editor");
  const [start] = useState(() => toSynonymsDraft(group?.line ?? null));
  const [draft, setDraft] = useState<SynonymsDraft>(start);
  const { pending, problemAt, notice, save } = useLineCall("synonyms", group?.revision ?? 0, onDone);
  useUnsavedWarning(JSON.stringify(draft) !== JSON.stringify(start), editor("leave"));
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft.slug.trim(), fromSynonymsDraft(draft));
      }}
    >
      {!group && (
        <TextInput
          label={t("slug")}
          value={draft.slug}
          error={problemAt("slug")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setDraft({ ...draft, slug: event.target.value })}
          className="max-w-80"
        />
      )}
      <LocaleFields
        value={draft.terms}
        label={editor("field.terms")}
        hint={editor("hint.lines")}
        rows={4}
        problemAt={(locale) => problemAt(`terms.${locale}`)}
        onChange={(terms) => setDraft({ ...draft, terms })}
      />
      {group && <p className="text-13 text-quiet">{t("remove_hint")}</p>}
      {problemAt("terms") && <ErrorNotice>{problemAt("terms")}</ErrorNotice>}
      {notice}
      <Button type="submit" look="primary" pending={pending} className="self-end">
        {t("save")}
      </Button>
    </form>
  );
}

/** One text in three languages side by side. */
function LocaleFields({
  value,
  label,
  hint,
  rows,
  problemAt,
  onChange,
}: {
  value: ByLocale<string>;
  label: string;
  hint?: string;
  /** Without it the text has one line. */
  rows?: number;
  problemAt: (locale: keyof ByLocale<string>) => string | undefined;
  onChange: (value: ByLocale<string>) => void;
}) {
  const t = useTranslations("console.editor");
  return (
    <div className="grid items-start gap-x-5 gap-y-3 min-[1100px]:grid-cols-3">
      {LOCALES.map((locale) => {
        const control = {
          lang: HTML_LANG[locale],
          label: `${label} · ${t(`language.${locale}`)}`,
          hint,
          value: value[locale],
          error: problemAt(locale),
          autoComplete: "off",
          onChange: ({ target }: { target: { value: string } }) =>
            onChange({ ...value, [locale]: target.value }),
        };
        return rows === undefined ? (
          <TextInput key={locale} {...control} />
        ) : (
          <TextArea key={locale} {...control} rows={rows} />
        );
      })}
    </div>
  );
}
