"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { HTML_LANG, LANGUAGE_NAMES } from "@/lib/platform/i18n/locales";
import type { ConsoleConversationDetail, StoredAnswer } from "@/lib/support/console/contract";
import { ANSWER_VARIABLES, type ConversationState, fillAnswer, MAX_MESSAGE } from "@/lib/support/rules";

const TONES: Record<ConversationState, Tone> = { waiting: "warn", answered: "good", closed: "plain" };

type Props = { conversation: ConsoleConversationDetail; answers: readonly StoredAnswer[] };

/** The page of one conversation. */
export function ConversationPage({ conversation, answers }: Props) {
  const t = useTranslations("console.messages");
  return (
    <>
      <ConsoleHeader title={conversation.email}>
        <Pill tone={TONES[conversation.state]}>{t(`states.${conversation.state}`)}</Pill>
      </ConsoleHeader>
      <ConversationRecord conversation={conversation} answers={answers} />
    </>
  );
}

/** The messages of a conversation, and the answer to them. `onDone`: after an answer, or when it was closed. */
export function ConversationRecord({ conversation, answers, onDone }: Props & { onDone?: () => void }) {
  const t = useTranslations("console.messages");
  const { customer_id, order_id, order_number, messages, email, locale } = conversation;
  return (
    <div className="flex max-w-text flex-col gap-5">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-quiet">
        <span className="wrap-anywhere">{email}</span>
        {customer_id ? (
          <ConsoleLink href={`/console/customers/${customer_id}`} className="text-link">
            {t("account")}
          </ConsoleLink>
        ) : (
          <span>{t("guest")}</span>
        )}
        {order_number &&
          (order_id ? (
            <ConsoleLink href={`/console/orders/${order_number}`} className="text-link">
              {t("order", { number: order_number })}
            </ConsoleLink>
          ) : (
            <span className="wrap-anywhere">{t("order_unverified", { number: order_number })}</span>
          ))}
        <span>{LANGUAGE_NAMES[locale]}</span>
      </p>
      <ol aria-label={t("conversation")} className="flex flex-col gap-3">
        {messages.map(({ message_id, author, staff, text, at }) => (
          <li
            key={message_id}
            className={classNames(
              "rounded-control border border-hairline px-4 py-3",
              author === "staff" ? "ml-8 bg-tint" : "mr-8 bg-raised",
            )}
          >
            <p className="flex flex-wrap gap-x-3 pb-1 text-13 text-quiet">
              <span className="font-semibold">
                {author === "staff" ? (staff ?? t("staff")) : t("customer")}
              </span>
              <ShortTime at={at} />
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ol>
      <AnswerForm conversation={conversation} answers={answers} onDone={onDone} />
    </div>
  );
}

function AnswerForm({ conversation, answers, onDone }: Props & { onDone: (() => void) | undefined }) {
  const t = useTranslations("console.messages");
  const { conversation_id: id, locale, version, variables, email, state, customer_id } = conversation;
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [text, setText] = useState("");
  const [meanwhile, setMeanwhile] = useState(false);
  const closes = useRef(false);
  const language = LANGUAGE_NAMES[locale];
  const unfilled = ANSWER_VARIABLES.filter((name) => text.includes(`{${name}}`));

  async function send(path: "answer" | "close", body: object, done: string) {
    const call = (options: { networkMessage: string }) =>
      withReauthentication(() =>
        api.post(`/admin/conversations/${id}/${path}`, { version, ...body }, options),
      );
    const result = await run(call);
    if (!result.ok) {
      if (result.code !== REVISION_CONFLICT) return;
      setProblem("");
      setMeanwhile(true);
      return router.refresh();
    }
    setText("");
    setMeanwhile(false);
    showToast(done, "good");
    router.refresh();
    onDone?.();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (text.trim() === "" || pending) return;
    if (unfilled.length > 0)
      return setProblem(t("unfilled", { names: unfilled.map((name) => `{${name}}`).join(" ") }));
    void send("answer", { message: text.trim(), close: closes.current }, t("answered"));
  }

  return (
    <form className="flex flex-col gap-4 border-t border-hairline pt-4" onSubmit={submit}>
      {meanwhile && (
        <Notice kind="warn" live>
          {t("meanwhile")}
        </Notice>
      )}
      {answers.length > 0 && (
        <Select
          label={t("stored")}
          value=""
          onChange={({ target }) => {
            const chosen = answers.find(({ answer_id }) => answer_id === target.value);
            if (!chosen) return;
            const filled = fillAnswer(chosen.texts[locale], variables);
            setText((typed) => (typed.trim() ? `${typed.trimEnd()}\n\n${filled}` : filled));
          }}
          options={[
            { value: "", label: t("stored_none") },
            ...answers.map(({ answer_id, title }) => ({ value: answer_id, label: title })),
          ]}
        />
      )}
      <TextArea
        name="message"
        label={t("answer")}
        hint={`${t("answer_hint", { email, language })}${customer_id === null ? ` ${t("guest_note")}` : ""}`}
        lang={HTML_LANG[locale]}
        value={text}
        onChange={({ target }) => setText(target.value)}
        required
        maxLength={MAX_MESSAGE}
        rows={7}
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          look="primary"
          pending={pending}
          onClick={() => {
            closes.current = false;
          }}
        >
          {t("send")}
        </Button>
        <Button
          type="submit"
          pending={pending}
          onClick={() => {
            closes.current = true;
          }}
        >
          {t("send_close")}
        </Button>
        {state !== "closed" && (
          <Button look="quiet" pending={pending} onClick={() => void send("close", {}, t("closed"))}>
            {t("close")}
          </Button>
        )}
      </div>
    </form>
  );
}
