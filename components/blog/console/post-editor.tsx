"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { useUnsavedWarning } from "@/components/console/use-unsaved-warning";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ConsolePost, PostSaved } from "@/lib/blog/console/contract";
import { api } from "@/lib/platform/api/client";
import type { FieldIssue } from "@/lib/platform/errors";
import { byLocale, LANGUAGE_NAMES, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { PictureImage, PicturePicker } from "./picture-picker";
import { PostPreviewPane, type PostText } from "./post-preview";

type Draft = Omit<ConsolePost, "post_id" | "revision" | "edited" | "related"> & { related: string };
type Saved = { id: number; revision: number } | null;

function toDraft({ post_id, revision, edited, related, ...post }: ConsolePost): Draft {
  return { ...post, related: related.join(", ") };
}
const EMPTY: PostText = { title: "", description: "", body: "" };

/** A post in three languages beside its preview. `post`: null for a new one. */
export function PostEditor({
  post,
  categories,
  today,
}: {
  post: ConsolePost | null;
  categories: readonly { slug: string; name: string }[];
  today: string;
}) {
  const t = useTranslations("console.posts");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const address = useConsoleAddress();
  const { locale } = useSurface();
  const { pending, problem, setProblem, run } = useCall(network);
  const [saved, setSaved] = useState<Saved>(post && { id: post.post_id, revision: post.revision });
  const [draft, setDraft] = useState<Draft>(
    post
      ? toDraft(post)
      : {
          slug: "",
          author: "",
          category: categories[0]?.slug ?? "",
          image: null,
          recommended: false,
          related: "",
          published_on: today,
          listed: false,
          texts: byLocale(() => EMPTY),
        },
  );
  const [isPublished, setIsPublished] = useState(post?.listed ?? false);
  const [language, setLanguage] = useState<Locale>("en");
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const [newerRevision, setNewerRevision] = useState<number>();
  const [isChanged, setIsChanged] = useState(false);
  const [picker, setPicker] = useState<"picture" | "figure">();
  const body = useRef<HTMLTextAreaElement>(null);
  const text = draft.texts[language];

  useUnsavedWarning(isChanged, t("leave"));

  function change(fields: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...fields }));
    setIsChanged(true);
  }
  const changeText = (fields: Partial<PostText>) =>
    change({ texts: { ...draft.texts, [language]: { ...text, ...fields } } });

  async function save(listed: boolean, revision = saved?.revision) {
    const related = draft.related.split(/[\s,，、]+/u).filter(Boolean);
    const input = { ...draft, related, listed };
    setIssues([]);
    setNewerRevision(undefined);
    const result = await run((options) =>
      saved && revision !== undefined
        ? api.post<PostSaved>(`/admin/posts/${saved.id}`, { ...input, revision }, options)
        : api.post<PostSaved>("/admin/posts", input, options),
    );
    if (!result.ok) {
      if (result.code === REVISION_CONFLICT) {
        setProblem("");
        setNewerRevision(Number(result.errors[0]?.message));
      } else setIssues(result.errors);
      return;
    }
    const published = listed && !isPublished;
    setSaved({ id: result.data.post_id, revision: result.data.revision });
    setIsPublished(listed);
    setIsChanged(false);
    showToast(t(published ? "published_now" : "saved"), "good");
    if (saved) router.refresh();
    else history.replaceState(null, "", address(`/console/posts/${result.data.post_id}`));
  }

  function insertFigure({ hash, width, height }: { hash: string; width: number; height: number }) {
    const at = body.current?.selectionStart ?? text.body.length;
    const before = text.body.slice(0, at).trimEnd();
    const figure = `![${t("caption")}](figure/${hash}/${width}x${height})`;
    changeText({ body: [before, figure, text.body.slice(at).trimStart()].filter(Boolean).join("\n\n") });
    setPicker(undefined);
    body.current?.focus();
  }

  return (
    <>
      <ConsoleHeader
        title={post ? post.texts[locale].title || post.texts.en.title || post.slug : t("new")}
        lead={
          <span className="flex flex-wrap items-center gap-2">
            <Pill tone={isPublished ? "good" : "warn"}>
              {t(`states.${isPublished ? "published" : "draft"}`)}
            </Pill>
            {saved && t("revision", { number: saved.revision })}
            {isPublished && (
              <a
                href={address(`/blog/detail/${draft.slug}`)}
                target="_blank"
                rel="noopener"
                className="text-link"
              >
                {t("open_site")}
              </a>
            )}
          </span>
        }
      >
        <ConsoleLink href="/console/posts" className="button button-quiet">
          {t("all")}
        </ConsoleLink>
      </ConsoleHeader>
      {newerRevision !== undefined && saved && (
        <Notice
          kind="warn"
          live
          title={t("conflict")}
          className="mb-4"
          action={
            <span className="flex flex-wrap gap-3">
              <a
                href={address(`/console/posts/${saved.id}`)}
                target="_blank"
                rel="noopener"
                className="button button-secondary"
              >
                {t("open_saved")}
              </a>
              <Button look="danger" pending={pending} onClick={() => void save(isPublished, newerRevision)}>
                {t("save_over")}
              </Button>
            </span>
          }
        >
          {t("conflict_text")}
        </Notice>
      )}
      <ErrorNotice className="mb-4">
        {problem && (
          <>
            {problem}
            <Issues issues={issues} onLanguage={setLanguage} />
          </>
        )}
      </ErrorNotice>
      <form
        className="flex flex-col gap-8"
        onSubmit={(event) => {
          event.preventDefault();
          void save(isPublished);
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <TextInput
            label={t("slug")}
            hint={isPublished ? t("slug_fixed") : t("slug_hint")}
            value={draft.slug}
            readOnly={isPublished}
            required
            maxLength={80}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => change({ slug: event.target.value })}
          />
          <TextInput
            label={t("author")}
            value={draft.author}
            maxLength={80}
            onChange={(event) => change({ author: event.target.value })}
          />
          <Select
            label={t("category")}
            value={draft.category}
            options={categories.map(({ slug, name }) => ({ value: slug, label: name }))}
            onChange={(event) => change({ category: event.target.value })}
          />
          <TextInput
            label={t("published_on")}
            type="date"
            required
            value={draft.published_on}
            onChange={(event) => change({ published_on: event.target.value })}
          />
          <TextInput
            label={t("related")}
            hint={t("related_hint")}
            value={draft.related}
            autoCapitalize="none"
            spellCheck={false}
            className="sm:col-span-2"
            onChange={(event) => change({ related: event.target.value })}
          />
          <div className="flex flex-col gap-1.5 xl:col-span-2">
            <span className="font-medium">{t("picture")}</span>
            <span className="flex flex-wrap items-center gap-3">
              {draft.image && <PictureImage hash={draft.image} />}
              <Button onClick={() => setPicker("picture")}>{t("choose_picture")}</Button>
              {draft.image && (
                <Button look="quiet" onClick={() => change({ image: null })}>
                  {t("no_picture")}
                </Button>
              )}
            </span>
          </div>
          <Checkbox
            label={t("recommended")}
            hint={t("recommended_hint")}
            checked={draft.recommended}
            onChange={(event) => change({ recommended: event.target.checked })}
          />
        </div>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="pb-1 font-medium">{t("language")}</legend>
          {LOCALES.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              aria-pressed={language === one}
              onClick={() => setLanguage(one)}
              className="min-h-11 cursor-pointer rounded-control border border-control px-4 aria-pressed:border-ink aria-pressed:font-semibold"
            >
              {LANGUAGE_NAMES[one]}
            </button>
          ))}
        </fieldset>
        <div className="grid gap-8 min-[1100px]:grid-cols-2">
          <div
            lang={language}
            className="flex flex-col gap-4 self-start min-[1100px]:sticky min-[1100px]:top-4"
          >
            <TextInput
              label={t("text_fields.title")}
              value={text.title}
              maxLength={160}
              onChange={(event) => changeText({ title: event.target.value })}
            />
            <TextArea
              label={t("text_fields.description")}
              value={text.description}
              maxLength={400}
              rows={2}
              onChange={(event) => changeText({ description: event.target.value.replace(/\s*\n\s*/g, " ") })}
            />
            <TextArea
              ref={body}
              label={t("text_fields.body")}
              hint={t("body_hint")}
              value={text.body}
              maxLength={60_000}
              rows={22}
              spellCheck
              className="[&_textarea]:font-mono [&_textarea]:text-13"
              onChange={(event) => changeText({ body: event.target.value })}
            />
            <Button className="self-start" onClick={() => setPicker("figure")}>
              {t("insert_figure")}
            </Button>
          </div>
          <section aria-label={t("preview")}>
            <h2 className="pb-3 text-17 font-semibold">{t("preview")}</h2>
            <PostPreviewPane locale={language} text={text} />
          </section>
        </div>
        <div className="sticky bottom-0 flex flex-wrap gap-3 border-t border-hairline bg-paper py-3">
          {isPublished ? (
            <>
              <Button type="submit" look="primary" pending={pending}>
                {t("save")}
              </Button>
              <Button pending={pending} onClick={() => void save(false)}>
                {t("withdraw")}
              </Button>
            </>
          ) : (
            <>
              <Button look="primary" pending={pending} onClick={() => void save(true)}>
                {t("publish")}
              </Button>
              <Button type="submit" pending={pending}>
                {t("save_draft")}
              </Button>
            </>
          )}
        </div>
      </form>
      <PicturePicker
        open={picker !== undefined}
        onClose={() => setPicker(undefined)}
        onChoose={(picture) => {
          if (picker === "figure") return insertFigure(picture);
          change({ image: picture.hash });
          setPicker(undefined);
        }}
      />
    </>
  );
}

/** What prevents saving. `texts.zh.body:12` links to the Chinese text. */
function Issues({
  issues,
  onLanguage,
}: {
  issues: readonly FieldIssue[];
  onLanguage: (locale: Locale) => void;
}) {
  const t = useTranslations("console.posts");
  if (issues.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 pt-2">
      {issues.slice(0, 30).map(({ path, message }) => {
        const [, locale, field, line] = /^texts\.(\w+)\.(title|description|body)(?::(\d+))?/.exec(path) ?? [];
        const chosen = LOCALES.find((one) => one === locale);
        return (
          <li key={`${path} ${message}`}>
            {chosen ? (
              <button type="button" className="text-link cursor-pointer" onClick={() => onLanguage(chosen)}>
                {LANGUAGE_NAMES[chosen]}
                {" · "}
                {t(`text_fields.${field === "title" || field === "description" ? field : "body"}`)}
                {line && ` · ${t("at_line", { line: Number(line) })}`}
              </button>
            ) : (
              <code className="text-13">{path}</code>
            )}{" "}
            {message}
          </li>
        );
      })}
    </ul>
  );
}
