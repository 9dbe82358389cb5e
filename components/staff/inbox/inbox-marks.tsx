"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { WAITING_CHANGED } from "@/components/staff/use-waiting";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import type { InboxItem, InboxView, MarkInput } from "@/lib/staff/inbox/contract";
import { SNOOZE_HOURS } from "@/lib/staff/inbox/rules";
import { seesQueue } from "@/lib/staff/today/rules";
import { HandOverFields } from "./hand-over-fields";

type Mark = MarkInput["mark"];
type Props = {
  item: InboxItem;
  people: InboxView["people"];
  /** whether the dialog to put it off is open */
  open: boolean;
  onOpen: (open: boolean) => void;
};

/** Puts a thing off, gives it to a colleague, hands it over to a role, or takes that back. */
export function InboxMarks({ item, people, open, onOpen }: Props) {
  const t = useTranslations("console.inbox");
  const router = useRouter();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [dialog, setDialog] = useState<"assign" | "hand_over">();
  const isMarked = item.snoozed_until !== null || item.assigned_to !== null || item.handed_to !== null;

  const { queue, handed_to } = item;
  const seesItem = ({ roles }: (typeof people)[number]) =>
    seesQueue(roles, queue) && (queue !== "asked" || handed_to === null || roles.includes(handed_to));

  function close() {
    setProblem("");
    setDialog(undefined);
    onOpen(false);
  }
  async function mark(chosen: Mark) {
    const result = await run((options) =>
      api.post("/admin/inbox/mark", { key: item.key, mark: chosen }, options),
    );
    if (!result.ok) return;
    close();
    showToast(t(`marked.${chosen.kind}`), "good");
    document.dispatchEvent(new Event(WAITING_CHANGED));
    router.refresh();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    if (dialog === "assign") return void mark({ kind: "assign", user_id: text("user_id") });
    const role = STAFF_ROLES.find((one) => one === text("role"));
    if (text("note").length < 3) return setProblem(t("note_missing"));
    if (role) void mark({ kind: "hand_over", role, note: text("note") });
  }

  return (
    <div className="flex flex-wrap gap-2">
      {isMarked && item.queue !== "asked" ? (
        <Button look="quiet" pending={pending} onClick={() => void mark({ kind: "release" })}>
          {t("release")}
        </Button>
      ) : null}
      <Button look="quiet" aria-keyshortcuts="z" onClick={() => onOpen(true)}>
        {t("snooze")}
      </Button>
      <Button look="quiet" onClick={() => setDialog("assign")}>
        {t("assign")}
      </Button>
      <Button look="quiet" onClick={() => setDialog("hand_over")}>
        {t("hand_over")}
      </Button>
      <Dialog open={open} onClose={close} title={t("snooze_title")} closeLabel={t("close")}>
        <div className="flex flex-col gap-2">
          {SNOOZE_HOURS.map((hours) => (
            <Button key={hours} pending={pending} onClick={() => void mark({ kind: "snooze", hours })}>
              {hours < 24 ? t("hours", { count: hours }) : t("days", { count: hours / 24 })}
            </Button>
          ))}
          <ErrorNotice>{problem}</ErrorNotice>
        </div>
      </Dialog>
      <Dialog
        open={dialog !== undefined}
        onClose={close}
        title={t(dialog === "assign" ? "assign_title" : "hand_over_title")}
        closeLabel={t("close")}
      >
        <form className="flex flex-col gap-4" onSubmit={submit}>
          {dialog === "assign" ? (
            <Select
              name="user_id"
              label={t("person")}
              required
              options={people
                .filter(seesItem)
                .map(({ user_id, email }) => ({ value: user_id, label: email }))}
            />
          ) : (
            <HandOverFields queue={item.queue} note={item.note ?? ""} />
          )}
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending} className="self-end">
            {t(dialog === "assign" ? "assign" : "hand_over")}
          </Button>
        </form>
      </Dialog>
    </div>
  );
}
