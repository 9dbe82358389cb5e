"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { LanguageFields, LanguageTexts, readLanguageTexts } from "@/components/console/language-texts";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { readTime, TimeInput } from "@/components/console/time-input";
import { useStartAgain } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ConsoleAnnouncement } from "@/lib/notifications/announcements/contract";
import { type AnnouncementState, MAX_ANNOUNCEMENT } from "@/lib/notifications/announcements/rules";
import { type ApiResult, api } from "@/lib/platform/api/client";

type Choice =
  | { kind: "write"; announcement: ConsoleAnnouncement | null }
  | { kind: "end"; announcement: ConsoleAnnouncement };
const TONES: Record<AnnouncementState, Tone> = { running: "good", scheduled: "warn", ended: "plain" };

/** Messages at the top of every public page: write, change and end them. */
export function AnnouncementsScreen({ announcements }: { announcements: ConsoleAnnouncement[] }) {
  const t = useTranslations("console.announcements");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const startAgain = useStartAgain();
  const [choice, setChoice] = useState<Choice>();
  const edited = choice?.kind === "write" ? choice.announcement : null;
  // Shows the version that someone else saved while it was edited here, and keeps the typed values.
  const newest = announcements.find(({ announcement_id: id }) => id === edited?.announcement_id);
  const changed = newest && newest.version !== edited?.version ? newest : undefined;

  function open(next: Choice | undefined) {
    setProblem("");
    setChoice(next);
  }

  async function change(
    done: string,
    call: (options: { networkMessage: string }) => Promise<ApiResult<ConsoleAnnouncement>>,
  ) {
    const result = await run((options) => withReauthentication(() => call(options)));
    if (startAgain(result, choice?.kind === "end" ? () => open(undefined) : undefined)) return setProblem("");
    if (!result.ok) return;
    open(undefined);
    showToast(done, "good");
    router.refresh();
  }

  function write(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const body = {
      texts: readLanguageTexts(fields),
      link: text("link") || undefined,
      starts_at: readTime(fields, "starts_at"),
      ends_at: readTime(fields, "ends_at"),
      version: newest?.version ?? edited?.version,
    };
    const path = edited ? `/admin/announcements/${edited.announcement_id}` : "/admin/announcements";
    void change(t("saved"), (options) => api.post<ConsoleAnnouncement>(path, body, options));
  }

  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Button look="primary" onClick={() => open({ kind: "write", announcement: null })}>
          {t("new")}
        </Button>
      </ConsoleHeader>
      {announcements.length === 0 && (
        <p className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-quiet">
          {t("empty")}
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {announcements.map((announcement) => (
          <li
            key={announcement.announcement_id}
            className="flex flex-wrap items-start justify-between gap-3 rounded-control border border-hairline bg-raised p-4"
          >
            <div className="min-w-0 flex-1 basis-80">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2 text-quiet">
                <Pill tone={TONES[announcement.state]}>{t(`state.${announcement.state}`)}</Pill>
                <Period announcement={announcement} />
              </p>
              <Texts announcement={announcement} />
            </div>
            {announcement.state !== "ended" && (
              <div className="flex gap-2">
                <Button onClick={() => open({ kind: "write", announcement })}>{t("change")}</Button>
                <Button onClick={() => open({ kind: "end", announcement })}>{t("end")}</Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        open={choice?.kind === "write"}
        onClose={() => open(undefined)}
        title={t(choice?.announcement ? "change_title" : "new")}
        closeLabel={t("close")}
      >
        {choice?.kind === "write" && (
          <form className="flex flex-col gap-4" onSubmit={write}>
            {changed && (
              <Notice kind="warn" title={t("changed_meanwhile")} live>
                <p className="pb-2">
                  <Period announcement={changed} />
                </p>
                <Texts announcement={changed} />
              </Notice>
            )}
            <LanguageFields maxLength={MAX_ANNOUNCEMENT} rows={2} texts={choice.announcement?.texts} />
            <TextInput
              name="link"
              label={t("link")}
              hint={t("link_hint")}
              maxLength={300}
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={choice.announcement?.link ?? ""}
            />
            <TimeInput
              name="starts_at"
              label={t("starts_at")}
              hint={choice.announcement ? undefined : t("starts_hint")}
              at={choice.announcement?.starts_at}
            />
            <TimeInput name="ends_at" label={t("ends_at")} required at={choice.announcement?.ends_at} />
            <ErrorNotice>{problem}</ErrorNotice>
            <Button type="submit" look="primary" pending={pending} className="self-end">
              {t("publish")}
            </Button>
          </form>
        )}
      </Dialog>
      <EffectsDialog
        open={choice?.kind === "end"}
        title={t("end_title")}
        effects={[t(choice?.announcement?.state === "scheduled" ? "effect_never" : "effect_gone")]}
        danger
        confirm={t("end")}
        pending={pending}
        problem={problem}
        onConfirm={() => {
          const { announcement_id: id, version } = choice?.announcement ?? {};
          void change(t("ended"), (options) =>
            api.post(`/admin/announcements/${id}/end`, { version }, options),
          );
        }}
        onClose={() => open(undefined)}
      />
    </>
  );
}

type Shown = { announcement: ConsoleAnnouncement };

const Period = ({ announcement: { starts_at, ends_at } }: Shown) => (
  <span>
    <ShortTime at={starts_at} /> – <ShortTime at={ends_at} />
  </span>
);

function Texts({ announcement: { texts, link } }: Shown) {
  const t = useTranslations("console.announcements");
  return (
    <>
      <LanguageTexts texts={texts} />
      {link && (
        <p className="pt-2 wrap-anywhere text-quiet">
          {t("leads_to")} {link}
        </p>
      )}
    </>
  );
}
