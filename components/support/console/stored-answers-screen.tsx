"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { LanguageFields, LanguageTexts, readLanguageTexts } from "@/components/console/language-texts";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { useStartAgain } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { type ApiResult, api } from "@/lib/platform/api/client";
import type { StoredAnswer } from "@/lib/support/console/contract";
import { ANSWER_VARIABLES, MAX_MESSAGE } from "@/lib/support/rules";

type Choice = { kind: "write"; answer: StoredAnswer | null } | { kind: "delete"; answer: StoredAnswer };

/** The answers that support uses again: write, change and delete them. */
export function StoredAnswersScreen({ answers }: { answers: readonly StoredAnswer[] }) {
  const t = useTranslations("console.stored_answers");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const startAgain = useStartAgain();
  const [choice, setChoice] = useState<Choice>();
  const edited = choice?.kind === "write" ? choice.answer : null;
  // Shows the version that someone else saved while it was edited here, and keeps the typed values.
  const newest = answers.find(({ answer_id }) => answer_id === edited?.answer_id);
  const changed = newest && newest.version !== edited?.version;

  function open(next: Choice | undefined) {
    setProblem("");
    setChoice(next);
  }

  async function change<T>(
    done: string,
    call: (options: { networkMessage: string }) => Promise<ApiResult<T>>,
  ) {
    const result = await run((options) => withReauthentication(() => call(options)));
    if (startAgain(result, choice?.kind === "delete" ? () => open(undefined) : undefined))
      return setProblem("");
    if (!result.ok) return;
    open(undefined);
    showToast(done, "good");
    router.refresh();
  }

  function write(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const version = newest?.version ?? edited?.version;
    const body = { title: text("title"), texts: readLanguageTexts(fields), ...(version && { version }) };
    const path = edited ? `/admin/answers/${edited.answer_id}` : "/admin/answers";
    void change(t("saved"), (options) => api.post<StoredAnswer>(path, body, options));
  }

  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <div className="flex flex-wrap items-center gap-4">
          <ConsoleLink href="/console/messages" className="text-link inline-flex min-h-11 items-center">
            {t("back")}
          </ConsoleLink>
          <Button look="primary" onClick={() => open({ kind: "write", answer: null })}>
            {t("new")}
          </Button>
        </div>
      </ConsoleHeader>
      {answers.length === 0 && (
        <p className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-quiet">
          {t("empty")}
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {answers.map((answer) => (
          <li
            key={answer.answer_id}
            className="flex flex-wrap items-start justify-between gap-3 rounded-control border border-hairline bg-raised p-4"
          >
            <div className="min-w-0 flex-1 basis-80">
              <h2 className="pb-2 font-semibold wrap-anywhere">{answer.title}</h2>
              <LanguageTexts texts={answer.texts} />
            </div>
            <div className="flex gap-2">
              <Button onClick={() => open({ kind: "write", answer })}>{t("change")}</Button>
              <Button onClick={() => open({ kind: "delete", answer })}>{t("delete")}</Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog
        open={choice?.kind === "write"}
        onClose={() => open(undefined)}
        title={t(choice?.answer ? "change_title" : "new")}
        closeLabel={t("close")}
      >
        {choice?.kind === "write" && (
          <form className="flex flex-col gap-4" onSubmit={write}>
            {changed && (
              <Notice kind="warn" live>
                {t("meanwhile")}
              </Notice>
            )}
            <TextInput
              name="title"
              label={t("name")}
              hint={t("name_hint")}
              required
              maxLength={80}
              defaultValue={choice.answer?.title}
            />
            <p className="text-13 text-quiet">
              {t("variables")} {ANSWER_VARIABLES.map((name) => `{${name}}`).join(" ")}
            </p>
            <LanguageFields maxLength={MAX_MESSAGE} rows={4} texts={choice.answer?.texts} />
            <ErrorNotice>{problem}</ErrorNotice>
            <Button type="submit" look="primary" pending={pending} className="self-end">
              {t("save")}
            </Button>
          </form>
        )}
      </Dialog>
      <EffectsDialog
        open={choice?.kind === "delete"}
        title={t("delete_title")}
        effects={[t("delete_effect")]}
        danger
        confirm={t("delete")}
        pending={pending}
        problem={problem}
        onConfirm={() => {
          const { answer_id: id, version } = choice?.answer ?? {};
          void change(t("deleted"), (options) =>
            api.post(`/admin/answers/${id}/delete`, { version }, options),
          );
        }}
        onClose={() => open(undefined)}
      />
    </>
  );
}
