"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { NotificationsView } from "@/lib/notifications/settings/contract";

const TOPICS = ["discounts", "wait_list", "wishlist"] as const;
type Topic = (typeof TOPICS)[number];

/** Bulk email preferences, saved immediately. Saves run one after another, so the last click wins. */
export function MailSettings({ initial }: { initial: NotificationsView }) {
  const t = useTranslations("accounts.mail");
  const { post } = useCalls(useTranslations("errors")("network"));
  const [chosen, setChosen] = useState<Record<Topic, boolean>>(initial);
  const [problem, setProblem] = useState<{ topic: Topic; message: string }>();
  const savedChoices = useRef<Record<Topic, boolean>>(initial);
  const lastSave = useRef<Promise<void>>(Promise.resolve());
  const pendingSaves = useRef(0);

  async function save(topic: Topic, enabled: boolean) {
    const result = await post("/auth/notifications", { [topic]: enabled });
    if (result.ok) {
      savedChoices.current = result.data;
      setProblem((previous) => (previous?.topic === topic ? undefined : previous));
      showToast(t("saved"), "good");
    } else setProblem({ topic, message: result.message });
    pendingSaves.current -= 1;
    if (pendingSaves.current === 0) setChosen(savedChoices.current);
  }

  function choose(topic: Topic, enabled: boolean) {
    setProblem(undefined);
    setChosen((previous) => ({ ...previous, [topic]: enabled }));
    pendingSaves.current += 1;
    lastSave.current = lastSave.current.then(() => save(topic, enabled));
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
          onChange={(event) => choose(topic, event.target.checked)}
        />
      ))}
      {!initial.email_verified && <p className="pb-2 text-13 text-quiet">{t("unverified")}</p>}
      {problem && <Notice kind="bad" title={problem.message} live className="mb-3" />}
    </div>
  );
}
