"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { Prose } from "@/components/ui/prose";
import type { PostPreview } from "@/lib/blog/console/contract";
import { api } from "@/lib/platform/api/client";
import type { Locale } from "@/lib/platform/i18n/locales";

const PAUSE_MS = 500;
export type PostText = { title: string; description: string; body: string };

/** The text as the site shows it, half a second after the last key, and what prevents publishing it. */
export function PostPreviewPane({ locale, text }: { locale: Locale; text: PostText }) {
  const t = useTranslations("console.posts");
  const { title, description, body } = text;
  const [preview, setPreview] = useState<{ locale: Locale; data: PostPreview }>();
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const input = { locale, text: { title, description, body } };
      const result = await api.post("/admin/post-preview", input, { signal: abort.signal });
      if (abort.signal.aborted) return;
      setFailed(result.ok ? "" : result.message || t("preview_failed"));
      if (result.ok) setPreview({ locale, data: result.data });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [locale, title, description, body, t]);
  const shown = preview?.locale === locale ? preview.data : undefined;
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className={failed ? "text-bad" : "sr-only"}>
        {failed}
      </p>
      {shown && (
        <>
          <Problems problems={shown.problems} />
          {/* A link of a preview would leave the text that is being written. */}
          <article
            lang={locale}
            aria-label={t("preview")}
            onClickCapture={(event) => {
              if (event.target instanceof HTMLElement && event.target.closest("a")) event.preventDefault();
            }}
            className="rounded-control border border-hairline bg-raised p-4 sm:p-6"
          >
            <p className="text-13 text-quiet">{t("minutes", { count: shown.reading_minutes })}</p>
            <p className="pt-2 text-28 font-semibold text-balance">{shown.title}</p>
            <p className="pt-3 pb-6 text-17 text-quiet">{shown.description}</p>
            <Prose html={shown.html} />
          </article>
        </>
      )}
    </div>
  );
}

function Problems({ problems }: { problems: PostPreview["problems"] }) {
  const t = useTranslations("console.posts");
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-2 text-good">
        <Icon name="check" size={18} />
        {t("no_problems")}
      </p>
    );
  return (
    <section aria-label={t("problems", { count: problems.length })}>
      <p className="font-medium text-warn">{t("problems", { count: problems.length })}</p>
      <ul className="flex flex-col gap-1 pt-1 text-13">
        {problems.slice(0, 20).map(({ field, line, message }) => (
          <li key={`${field} ${line} ${message}`}>
            <span className="text-quiet">
              {t(`text_fields.${field === "title" || field === "description" ? field : "body"}`)}
              {line !== null && ` · ${t("at_line", { line })}`}
            </span>{" "}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
