"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { NotificationsView } from "@/lib/notifications/contract-settings";
import { useCalls } from "./use-calls";

const TOPICS = ["discounts", "wait_list"] as const;
type Topic = (typeof TOPICS)[number];

/** Which bulk mail one wants (spec §7 notifications): each switch is saved at once. */
export function MailSettings({ initial }: { initial: NotificationsView }) {
  const t = useTranslations("accounts.mail");
  const { run, post } = useCalls(useTranslations("errors")("network"));
  const [chosen, setChosen] = useState<Record<Topic, boolean>>(initial);
  const [problem, setProblem] = useState<string>();

  async function save(topic: Topic, on: boolean) {
    setProblem(undefined);
    setChosen({ ...chosen, [topic]: on });
    const answer = await post("/auth/notifications", { [topic]: on });
    setChosen(answer.ok ? answer.data : chosen);
    if (answer.ok) showToast(t("saved"), "good");
    else setProblem(answer.message);
  }

  return (
    <div className="px-5 py-2">
      {TOPICS.map((topic) => (
        <Checkbox
          key={topic}
          role="switch"
          label={t(topic)}
          hint={t(`${topic}_hint`)}
          checked={chosen[topic]}
          disabled={!initial.email_verified && !initial[topic]}
          onChange={(event) => {
            const on = event.target.checked;
            void run(topic, () => save(topic, on));
          }}
        />
      ))}
      {!initial.email_verified && <p className="pb-2 text-13 text-quiet">{t("unverified")}</p>}
      {problem && <Notice kind="bad" title={problem} live className="mb-3" />}
    </div>
  );
}
