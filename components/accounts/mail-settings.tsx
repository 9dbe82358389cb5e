"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { NotificationsView } from "@/lib/notifications/contract-settings";
import { useCalls } from "./use-calls";

const TOPICS = ["discounts", "wait_list"] as const;
type Topic = (typeof TOPICS)[number];

/**
 * Which bulk mail one wants (spec §7 notifications): each switch is saved at once, one after the other, so that the last
 * click counts and none is passed over while another is being saved.
 */
export function MailSettings({ initial }: { initial: NotificationsView }) {
  const t = useTranslations("accounts.mail");
  const { post } = useCalls(useTranslations("errors")("network"));
  const [chosen, setChosen] = useState<Record<Topic, boolean>>(initial);
  const [problem, setProblem] = useState<string>();
  const saved = useRef<Record<Topic, boolean>>(initial);
  const last = useRef<Promise<void>>(Promise.resolve());

  const show = (topic: Topic, on: boolean) => setChosen((before) => ({ ...before, [topic]: on }));

  async function save(topic: Topic, on: boolean) {
    const answer = await post("/auth/notifications", { [topic]: on });
    if (answer.ok) {
      saved.current = answer.data;
      return showToast(t("saved"), "good");
    }
    show(topic, saved.current[topic]);
    setProblem(answer.message);
  }

  function choose(topic: Topic, on: boolean) {
    setProblem(undefined);
    show(topic, on);
    last.current = last.current.then(() => save(topic, on));
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
      {problem && <Notice kind="bad" title={problem} live className="mb-3" />}
    </div>
  );
}
